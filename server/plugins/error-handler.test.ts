import Fastify from 'fastify'
import { expect, it } from 'vitest'
import { registerErrorHandler } from './error-handler.ts'
import { REPLY_TIMEOUT } from './request-timeout.ts'

it.each([
  ['a reply timed out', REPLY_TIMEOUT],
  ['database away', '57P01'],
])('answers 503 and logs "%s" for %s', async (message, code) => {
  const lines: string[] = []
  const app = Fastify({ logger: { level: 'warn', stream: { write: (line: string) => void lines.push(line) } } })
  registerErrorHandler(app, async (_request, reply) => reply)
  app.get('/api/late', () => Promise.reject(Object.assign(new Error('late'), { code })))
  expect((await app.inject('/api/late')).statusCode).toBe(503)
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ code, msg: message }])
})
