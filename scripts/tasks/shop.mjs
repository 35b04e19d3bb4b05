// The shop as a child of server.mjs: when the process that started it is killed, it closes as on SIGTERM. An entry of
// its own, not a flag: processes that the shop starts would inherit the flag, but have no such parent.
import { Socket } from 'node:net'

const parent = new Socket({ fd: 3, readable: true, writable: false })
parent.on('error', () => {})
parent.on('close', () => process.kill(process.pid, 'SIGTERM'))
parent.resume()
parent.unref()

await import('../../server/main.mjs')
