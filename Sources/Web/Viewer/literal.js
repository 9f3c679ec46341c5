// Values as JavaScript that people like to read.

const WIDTH = 88

const name = (text) => /^[A-Za-z_$][\w$]*$/.test(text) ? text : string(text)

/** A string in single quotes. */
export const string = (text) => `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`

/** 10000000 → "10_000_000" */
export const number = (value) => Number.isInteger(value) && value >= 10_000
  ? String(value).replace(/\B(?=(\d{3})+$)/g, '_') : String(value)

/** Code that is put into a value as it is. */
export class Code {
  constructor(text) { this.text = text }
}

/**
 * A JSON value, or one with `Code` in it, in lines that begin with `indent`; the first does not.
 */
export function literal(value, indent = '') {
  if (value instanceof Code) return value.text
  if (typeof value === 'string') return string(value)
  if (typeof value === 'number') return number(value)
  if (value === null || typeof value !== 'object') return String(value)
  const isArray = Array.isArray(value), inner = `${indent}  `
  const [open, close] = isArray ? '[]' : '{}'
  const members = (indent) => isArray ? value.map((each) => literal(each, indent))
    : Object.entries(value).map(([key, each]) => `${name(key)}: ${literal(each, indent)}`)
  const line = `${open}${members('').join(', ')}${close}`
  if (!line.includes('\n') && line.length + indent.length <= WIDTH) return line
  return `${open}\n${inner}${members(inner).join(`,\n${inner}`)},\n${indent}${close}`
}
