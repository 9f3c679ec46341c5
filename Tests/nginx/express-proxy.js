// A proxy with express and its compression, as in many web applications and in the servers of their
// developers: node express-proxy.js <port> <port of layoutd>
const http = require('node:http')
const express = require('express')
const compression = require('compression')

const [port, target] = process.argv.slice(2)
express()
  .use(compression())
  .use((request, answer) => {
    const {method, url: path, headers} = request
    const onward = http.request({port: target, host: '127.0.0.1', method, path, headers}, (from) => {
      answer.writeHead(from.statusCode, from.headers)
      from.pipe(answer)
    })
    answer.on('close', () => onward.destroy())
    onward.on('error', () => answer.destroy())
    request.pipe(onward)
  })
  .listen(port, '127.0.0.1')
