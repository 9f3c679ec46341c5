// Numbers as people read them.

const whole = new Intl.NumberFormat('en', {maximumFractionDigits: 0})
const short = new Intl.NumberFormat('en', {maximumSignificantDigits: 3})

/** 1234567 → "1,234,567". */
export const count = (number) => whole.format(number)

/** 1536 → "1.54 kB", in powers of 1000. */
export function bytes(number) {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  let unit = 0
  while (number >= 1000 && unit < units.length - 1) {
    number /= 1000
    unit += 1
  }
  return `${short.format(number)} ${units[unit]}`
}

export const milliseconds = (number) =>
  number < 1000 ? `${number < 10 ? number.toFixed(1) : whole.format(number)} ms`
    : `${short.format(number / 1000)} s`

/** How long points are on a screen whose CSS pixels have the nominal 1/96 inch. */
export function onScreen(points) {
  const metres = points * 0.0254 / 96
  return metres < 1 ? `${short.format(metres * 100)} cm`
    : metres < 1000 ? `${short.format(metres)} m` : `${short.format(metres / 1000)} km`
}

/** Reads "1,000 000" or "1e6". NaN where that is no number. */
export const parseCount = (text) => {
  const digits = text.replace(/[\s,_']/g, '')
  return digits === '' ? NaN : Number(digits)
}
