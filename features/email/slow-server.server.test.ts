import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, it } from 'vitest'
import { smtpGateway } from './smtp.server.ts'

const ANSWER_MS = 200
const received: string[] = []
const sockets = new Set<Socket>()

/** Takes every message, with a pause before each answer that is shorter than the timeout of a silent server. */
const server = createServer((socket) => {
  sockets.add(socket)
  socket.on('close', () => sockets.delete(socket)).on('error', () => {})
  const say = (text: string) => void setTimeout(() => socket.writable && socket.write(`${text}\r\n`), ANSWER_MS)
  let inMessage = false
  let rest = ''
  say('220 ready')
  socket.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk.toString()).split('\r\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (inMessage && line !== '.') continue
      if (line === '.') received.push(line)
      inMessage = line === 'DATA'
      say(inMessage ? '354 go on' : '250 ok')
    }
  })
}).listen(0, '127.0.0.1')
await once(server, 'listening')
afterAll(() => {
  sockets.forEach((socket) => socket.destroy())
  server.close()
})

const EMAIL = { messageId: 'a'.repeat(32), to: 'a@mail.example', fromName: 'Shop', replyTo: null, subject: 'x', text: 'x', html: 'x' }
const gatewayWith = (deadlineMs: number) =>
  smtpGateway({
    host: '127.0.0.1',
    port: (server.address() as AddressInfo).port,
    isSecure: false,
    account: null,
    sender: { name: null, address: 'orders@farm.example' },
    deadlineMs,
  })

it('a message that was given up at the deadline is not sent any more, and its connection ends', async () => {
  expect(await gatewayWith(3 * ANSWER_MS).send(EMAIL)).toEqual({ state: 'later', code: 'ETIMEDOUT', isServerProblem: true })
  await sleep(6 * ANSWER_MS)
  expect([received.length, sockets.size]).toEqual([0, 0])
  expect(await gatewayWith(60_000).send(EMAIL)).toEqual({ state: 'sent' })
  expect(received).toHaveLength(1)
})
