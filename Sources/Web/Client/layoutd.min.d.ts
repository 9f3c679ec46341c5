// The types of layoutd.min.js. They are those of layoutd.js.

export * from './layoutd.js'
