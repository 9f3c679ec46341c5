// Posts: a title, a text of one to ten sentences, for some a picture. The server knows how high each is.

import {seeded} from './numbers.js'

const WORDS = `the a of at in on under behind over and but before after until old new early late quiet bright wet cold sea harbour
  lighthouse gull ferry tide net rope dunes buoy shell crab pier mast anchor sail beach market lantern fog storm island cliff bay
  rudder keel compass chart wave foam leaves returns waits turns shines drifts rises falls opens closes`.split(/\s+/)
const PICTURES = [1.5, 1.5, 1.78, 1]

const started = (text) => text[0].toUpperCase() + text.slice(1)

/**
 * The post of a number: always the same. Most are short. The body is by far the longest part, and only
 * made for who asks, once.
 */
export function postOf(index, seed) {
  const random = seeded(Math.imul(seed + 1, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b))
  const words = (few, many) => started(Array.from({length: few + Math.floor(random() * (many - few))},
    () => WORDS[Math.floor(random() * WORDS.length)]).join(' '))
  const aspectRatio = random() < 0.3 ? PICTURES[Math.floor(random() * PICTURES.length)] : null
  const title = words(2, 9)
  return {title, aspectRatio,
    body: () => Array.from({length: 1 + Math.floor(10 * random() ** 2)}, () => `${words(3, 12)}.`).join(' ')}
}
