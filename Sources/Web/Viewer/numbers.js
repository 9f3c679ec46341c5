// Numbers from a seed: the same on every machine.

/** A generator of numbers from 0 up to 1 (mulberry32). */
export function seeded(seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** The ratios of photographs: mostly those of cameras. */
export const RATIOS = [1.5, 1.5, 1.5, 0.67, 0.67, 1, 1.33, 0.75, 1.78, 2.2]

/** A random height of a card, in points. */
export const randomHeight = (random) => 60 + Math.floor(random() * 240)

/** Over how many columns or rows an item reaches. */
export const randomSpan = (random) => random() < 0.15 ? 2 : 1

/** The ratio of a photograph. */
export const randomRatio = (random) => RATIOS[Math.floor(random() * RATIOS.length)]

/**
 * A function that gives the parent of each node, to be called for 0, 1, 2 …: a hierarchy of at most
 * eight levels, in the order in which one would read it.
 */
export function parents(random) {
  const last = [0]
  let depth = 0
  return (index) => {
    if (index === 0) return null
    depth = Math.min(depth + 1, 1 + Math.floor(random() * 7))
    last[depth] = index
    return last[depth - 1]
  }
}

/** What a node of a tree is called: no two alike. */
export function nodeName(index) {
  const words = 'src lib docs tests tools app core net ui data math text audio video image input cache log auth mail jobs hooks themes icons fonts pages forms charts maps'.split(' ')
  const word = words[index * 7 % words.length], turn = Math.floor(index / words.length)
  return turn ? `${word} ${turn + 1}` : word
}

/** What a person is called: no two alike. */
export function personName(index) {
  const first = 'Ada Ben Chloé Dmitri Emeka Fatima Grace Hiro Ines Jonas Kavya Liam Mei Noor Olga Pablo Quentin Rosa Samir Thea'.split(' ')
  const last = 'Adeyemi Bauer Costa Dubois Eriksen Farah Garcia Haddad Ivanova Jensen Kato Lopez Moreau Nguyen Okafor Patel Rossi Sato Weber'.split(' ')
  const turn = Math.floor(index / first.length), name = `${first[index % first.length]} ${last[(index * 7 + turn) % last.length]}`
  return turn < last.length ? name : `${name} ${Math.floor(turn / last.length) + 1}`
}
