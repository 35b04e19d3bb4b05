import Fastify, { type FastifyInstance } from 'fastify'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, expect, it } from 'vitest'
import { limitTimes, TOOK_TOO_LONG } from './plugins/time-limit.ts'

// Nobody waits longer than the route says: over a real connection, since it is there that bodies end.

const USUAL_MS = 150
let app: FastifyInstance
let url = ''
beforeEach(async () => {
  app = Fastify()
  limitTimes(app, { usualMs: USUAL_MS, everyMs: 20 })
  app.setErrorHandler((error: { code?: string }, _request, reply) => reply.code(error.code === TOOK_TOO_LONG ? 503 : 500).send('late'))
  app.all('/never', () => new Promise(() => {}))
  app.all('/slow', { config: { takesAtMost: 60_000 } }, () => sleep(3 * USUAL_MS, 'done'))
  app.get('/begun', (_request, reply) => {
    reply.hijack()
    reply.raw.write('a')
    setTimeout(() => reply.raw.end('b'), 3 * USUAL_MS)
  })
  app.get('/half', (_request, reply) => {
    reply.raw.writeHead(200, { 'content-length': '10' })
    reply.raw.write('half')
    return new Promise(() => {})
  })
  url = await app.listen({ port: 0, host: '127.0.0.1' })
  return () => app.close()
})

const ask = async (path: string, method = 'GET') => {
  const body = method === 'POST' ? { body: '{"a":1}', headers: { 'content-type': 'application/json' } } : {}
  const answer = await fetch(url + path, { method, ...body, signal: AbortSignal.timeout(5_000) })
  return `${answer.status} ${await answer.text()}`
}

it.each(['GET', 'POST'])('%s: whoever is not answered in time hears so, once a body is read too', async (method) => {
  const begun = performance.now()
  expect(await ask('/never', method)).toBe('503 late')
  expect(performance.now() - begun).toBeGreaterThanOrEqual(USUAL_MS - 1)
})
it.each(['GET', 'POST'])('%s: a route may take the time it names', async (method) => {
  expect(await ask('/slow', method)).toBe('200 done')
})
it('what is being sent may take longer; a head without an end is broken off', async () => {
  expect(await ask('/begun')).toBe('200 ab')
  await expect(ask('/half')).rejects.toThrow('terminated')
})
