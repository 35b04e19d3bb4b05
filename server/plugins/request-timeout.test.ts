import Fastify, { type FastifyInstance } from 'fastify'
import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import { get, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { getHeapSpaceStatistics } from 'node:v8'
import { beforeEach, describe, expect, it } from 'vitest'
import { majorGc, minorGc } from '#lib/runtime/memory.server.ts'
import { registerRequestTimeout, REPLY_TIMEOUT } from './request-timeout.ts'

// A request ends within the timeout of its route. Uses a real connection, where bodies end.

const USUAL_MS = 150
const READER_MS = 1_000
/** More than the buffers of a connection hold. */
const LONG_BODY = 48 * 1024 * 1024
let app: FastifyInstance
let url = ''
let timeouts = 0
/** What Fastify warns of. */
let warnings: string[] = []
beforeEach(async () => {
  warnings = []
  app = Fastify({ logger: { level: 'warn', stream: { write: (line) => void warnings.push(line) } } })
  registerRequestTimeout(app, { defaultMs: USUAL_MS, readerMs: READER_MS, checkEveryMs: 20 })
  timeouts = 0
  app.setErrorHandler(async (error: { code?: string }, request, reply) => {
    if (error.code === REPLY_TIMEOUT) timeouts += 1
    // The error page takes its time.
    if (request.url.startsWith('/overtaking')) await sleep(2 * USUAL_MS)
    return reply.code(error.code === REPLY_TIMEOUT ? 503 : 500).send('late')
  })
  app.get('/file', async () => {
    await sleep(USUAL_MS / 2)
    return Readable.from(['a', 'b'])
  })
  app.all('/never', { bodyLimit: 1_000_000 }, () => new Promise(() => {}))
  app.all('/slow', { config: { timeoutMs: 60_000 } }, () => sleep(3 * USUAL_MS, 'done'))
  app.all('/after/:ms', { bodyLimit: 1_000_000 }, (request) => sleep(Number((request.params as { ms: string }).ms), 'in time'))
  app.addHook('onSend', async (request, _reply, payload) => {
    if (request.url === '/compressed' || request.url === '/empty') await sleep(2 * USUAL_MS)
    return payload
  })
  app.get('/compressed', async () => 'in time')
  app.get('/empty', (_request, reply) => reply.code(204).send())
  app.get('/stalled', async () => {
    const read = stat(import.meta.filename)
    const end = performance.now() + 3 * USUAL_MS
    while (performance.now() < end);
    await read
    return 'in time'
  })
  app.get('/overtaking', () => sleep(2 * USUAL_MS, 'too late'))
  app.get('/overtaking/sent', async (_request, reply) => {
    await sleep(2 * USUAL_MS)
    return reply.code(201).send('too late')
  })
  app.get('/begun', (_request, reply) => {
    reply.hijack()
    reply.raw.write('a')
    setTimeout(() => reply.raw.end('b'), 3 * USUAL_MS)
  })
  app.get('/long', (_request, reply) => reply.send(Readable.from(Array<Buffer>(LONG_BODY / 65_536).fill(Buffer.alloc(65_536)))))
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

it.each(['GET', 'POST'])('%s: a late reply becomes a 503, also after the body is read', async (method) => {
  const begun = performance.now()
  expect(await ask('/never', method)).toBe('503 late')
  expect(performance.now() - begun).toBeGreaterThanOrEqual(USUAL_MS - 1)
})
it.each(['GET', 'POST'])('%s: a route may take the time it names', async (method) => {
  expect(await ask('/slow', method)).toBe('200 done')
})
it.each([
  ['/compressed', '200 in time'],
  ['/empty', '204 '],
])('%s: a reply that is being sent when its time is over goes out, and no second one', async (path, reply) => {
  expect(await ask(path)).toBe(reply)
  expect([timeouts, warnings]).toEqual([0, []])
})
it('an answer that came while the process did not run is read before a reply times out', async () => {
  expect(await ask('/stalled')).toBe('200 in time')
})
it.each(['/overtaking', '/overtaking/sent'])('%s: a reply that comes while the 503 is rendered is dropped', async (path) => {
  expect(await ask(path)).toBe('503 late')
  await sleep(2 * USUAL_MS)
  expect(warnings).toEqual([])
})
it('what is being sent may take longer; a head without an end is broken off', async () => {
  expect(await ask('/begun')).toBe('200 ab')
  await expect(ask('/half')).rejects.toThrow('terminated')
})

/** Reads a long body with pauses after each sixth; whether it came whole. */
async function readSlowly(pausesMs: number[]): Promise<'whole' | 'cut off'> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => get(`${url}/long`, resolve).on('error', reject))
  let bytes = 0
  let nextPause = LONG_BODY / 6
  try {
    for await (const piece of answer) {
      bytes += (piece as Buffer).length
      if (bytes < nextPause) continue
      nextPause += LONG_BODY / 6
      await sleep(pausesMs.shift() ?? 0)
    }
  } catch {
    return 'cut off'
  }
  return bytes === LONG_BODY ? 'whole' : 'cut off'
}

it('a slow reader gets all of a long body; one who stops reading is cut off', async () => {
  expect(await readSlowly(Array<number>(5).fill(USUAL_MS))).toBe('whole')
  expect(await readSlowly([4 * READER_MS])).toBe('cut off')
})

/** Sends the bytes of a JSON body in steps, and reads the answer until the connection ends. */
async function sendSlowly(path: string, { bytes, steps, everyMs }: { bytes: number; steps: number; everyMs: number }): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  let said = ''
  socket.on('data', (piece) => (said += String(piece)))
  const closed = once(socket, 'close')
  socket.on('error', () => {})
  const body = JSON.stringify('x'.repeat(bytes - 2))
  socket.write(`POST ${path} HTTP/1.1\r\nhost: shop.example\r\ncontent-type: application/json\r\ncontent-length: ${bytes}\r\n`)
  socket.write('connection: close\r\n\r\n')
  for (let step = 0; step < steps && !socket.destroyed; step++) {
    socket.write(body.slice((bytes / steps) * step, (bytes / steps) * (step + 1)))
    await sleep(everyMs)
  }
  await closed
  return said.split(' ')[1] ?? 'nothing'
}

it.each(['/file', '/never'])('%s: a client who has gone is no timeout', async (path) => {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.write(`GET ${path} HTTP/1.1\r\nhost: shop.example\r\n\r\n`)
  await sleep(USUAL_MS / 5)
  socket.destroy()
  await sleep(3 * USUAL_MS)
  expect(timeouts).toBe(0)
  expect(await ask('/never')).toBe('503 late')
  expect(timeouts).toBe(1)
})

describe('a body that comes slowly', () => {
  it('is read to its end, and then its route has its time', async () => {
    expect(await sendSlowly('/after/50', { bytes: 400_000, steps: 20, everyMs: 30 })).toBe('200')
  })

  it('is refused when next to nothing comes, and the connection ends', async () => {
    const begun = performance.now()
    expect(await sendSlowly('/after/0', { bytes: 100_000, steps: 1000, everyMs: 20 })).toBe('503')
    expect(performance.now() - begun).toBeLessThan(10_000)
  })

  it('is no reason to wait for a route that never answers', async () => {
    expect(await sendSlowly('/never', { bytes: 400_000, steps: 10, everyMs: 30 })).toBe('503')
  })
})

it('of many who wait, in whichever order they are answered, only those whose time is over hear of it', async () => {
  const paths = ['/after/90', '/never', '/after/10', '/after/60', '/never', '/slow', '/after/1']
  expect(await Promise.all(paths.map((path) => ask(path)))).toEqual([
    '200 in time',
    '503 late',
    '200 in time',
    '200 in time',
    '503 late',
    '200 done',
    '200 in time',
  ])
})

it('what is answered is forgotten when young objects are cleared away', () => {
  type Hook = (request: unknown, reply: object, done: () => void) => void
  const hooks: Record<string, Hook> = {}
  const decorated = { decorateReply: () => {}, addHook: (name: string, hook: Hook) => void (hooks[name] ??= hook) }
  registerRequestTimeout(decorated as unknown as FastifyInstance, { defaultMs: 60_000 })
  const waiting: object[] = []
  const oldBytes = () => getHeapSpaceStatistics().find(({ space_name }) => space_name === 'old_space')?.space_used_size ?? 0
  const serve = (requests: number) => {
    for (let number = 0; number < requests; number++) {
      const reply = { openAt: -1, body: Array.from({ length: 1000 }, () => number) }
      hooks.onRequest?.({ headers: {}, routeOptions: { config: {} } }, reply, () => {})
      waiting.push(reply)
      if (waiting.length > 16) hooks.onResponse?.({}, waiting.shift()!, () => {})
    }
  }
  serve(50)
  majorGc()
  majorGc()
  const before = oldBytes()
  for (let time = 0; time < 20; time++) {
    serve(200)
    minorGc()
  }
  // Otherwise the timer lives on in this worker and answers these replies, which have no socket, during another file's tests.
  hooks.onClose?.({}, {}, () => {})
  // Thirty megabytes went by.
  expect(oldBytes() - before).toBeLessThan(500_000)
})
