// Loaded into the shop by server.mjs: when the process that started it is killed, the shop closes as on SIGTERM.
import { Socket } from 'node:net'

const parent = new Socket({ fd: 3, readable: true, writable: false })
parent.on('error', () => {})
parent.on('close', () => process.kill(process.pid, 'SIGTERM'))
parent.resume()
parent.unref()
