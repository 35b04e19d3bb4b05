import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { READER_TIMEOUT_MS } from '#lib/http/reader-timeout.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Milliseconds from the end of the body until the request is answered with 503, where the default is too short. */
    timeoutMs?: number
  }
  interface FastifyReply {
    /** The deadline of the reply, by `performance.now()`. */
    dueAt: number
    /** The index in `PendingReplies`; -1 once the reply is sent. */
    pendingIndex: number
    /** What the connection had received when the reply was last due, in bytes; -1 once the body has come. */
    bytesReceived: number
    /** What the connection had sent when the reply was last due, in bytes. */
    bytesSent: number
  }
}

export const REPLY_TIMEOUT = 'REPLY_TIMEOUT'

/** What a sender must send before each deadline, in bytes: a phone on a slow network sends a video for minutes. */
const SENDER_BYTES = 8 * 1024

/** After so many checks in a row that came late, deadlines hold again: a machine may be busy all the time. */
const MAX_PAUSES = 3

interface TimeoutOptions {
  defaultMs: number
  /** How long a reader may take nothing of a body. */
  readerMs?: number
  /** The interval between two checks of the deadlines. */
  checkEveryMs?: number
}

/**
 * Answers a request with 503 after its route's timeout. A body that is still coming or going extends it. Fastify's `handlerTimeout` ends
 * when the body is read, so it does not cover a write, and its abort signal costs as much a request as pricing an order.
 */
export function registerRequestTimeout(
  app: FastifyInstance,
  { defaultMs, readerMs = READER_TIMEOUT_MS, checkEveryMs = 500 }: TimeoutOptions,
): void {
  const pending = new PendingReplies()
  const timeoutMs = ({ routeOptions }: FastifyRequest) => routeOptions.config.timeoutMs ?? defaultMs
  app.decorateReply('dueAt', 0)
  app.decorateReply('pendingIndex', -1)
  app.decorateReply('bytesReceived', -1)
  app.decorateReply('bytesSent', -1)
  app.addHook('onRequest', (request, reply, done) => {
    reply.dueAt = performance.now() + timeoutMs(request)
    if (hasBody(request)) reply.bytesReceived = request.raw.socket.bytesRead
    pending.add(reply)
    done()
  })
  app.addHook('preValidation', (request, reply, done) => {
    if (reply.bytesReceived >= 0 && request.raw.complete) {
      reply.bytesReceived = -1
      reply.dueAt = performance.now() + timeoutMs(request)
    }
    done()
  })
  // Hooks after this one, such as compression, may take until after the deadline. A stream may still wait for its first row.
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (payload === undefined || payload === null || typeof payload === 'string' || Buffer.isBuffer(payload))
      reply.dueAt = performance.now() + readerMs
    done(null, payload)
  })
  app.addHook('onResponse', (_request, reply, done) => {
    pending.delete(reply)
    done()
  })
  let [checkedAt, pauses] = [performance.now(), 0]
  const timer = setInterval(() => {
    const now = performance.now()
    // Timers run before sockets are read: after a pause of the process, what replies wait for may have come.
    pauses = now - checkedAt > 2 * checkEveryMs ? pauses + 1 : 0
    checkedAt = now
    if (pauses > 0 && pauses <= MAX_PAUSES) return
    for (const reply of pending.dueBefore(now)) {
      if (reply.raw.headersSent && hasSentMore(reply)) reply.dueAt = now + readerMs
      else if (!reply.raw.headersSent && hasReceivedMore(reply)) reply.dueAt = now + timeoutMs(reply.request)
      else {
        pending.delete(reply)
        replyTimeout(reply)
      }
    }
  }, checkEveryMs)
  timer.unref()
  app.addHook('onClose', async () => clearInterval(timer))
}

/**
 * The pending replies. An array, because V8 rehashes a Set that changes with every request, and the old tables stay reachable from old
 * space together with every request they held (decision 17).
 */
class PendingReplies {
  readonly #replies: FastifyReply[] = []

  add(reply: FastifyReply): void {
    reply.pendingIndex = this.#replies.push(reply) - 1
  }

  delete(reply: FastifyReply): void {
    if (reply.pendingIndex < 0) return
    const last = this.#replies.pop()!
    if (last !== reply) {
      this.#replies[reply.pendingIndex] = last
      last.pendingIndex = reply.pendingIndex
    }
    reply.pendingIndex = -1
  }

  dueBefore(now: number): FastifyReply[] {
    return this.#replies.filter((reply) => reply.dueAt <= now)
  }
}

const hasBody = ({ headers }: FastifyRequest) => Number(headers['content-length']) > 0 || headers['transfer-encoding'] !== undefined

/** Whether the request's body has made progress, or has come whole, since the reply was last due. */
function hasReceivedMore(reply: FastifyReply): boolean {
  const { complete, socket } = reply.request.raw
  const before = reply.bytesReceived
  if (before < 0 || socket.destroyed) return false
  reply.bytesReceived = complete ? -1 : socket.bytesRead
  return complete || socket.bytesRead - before >= SENDER_BYTES
}

/** Whether more of the reply's body has been sent since it was last due. */
function hasSentMore(reply: FastifyReply): boolean {
  const before = reply.bytesSent
  reply.bytesSent = reply.raw.socket?.bytesWritten ?? -1
  return reply.bytesSent > before
}

/**
 * Fails the reply. One whose body is complete may take as long as its reader; one with headers but no end is cut off. Fastify reports no end
 * of a reply whose client has gone, as when a page is left while its scripts are loading: that is no failure.
 */
function replyTimeout(reply: FastifyReply): void {
  if (reply.sent || reply.request.raw.socket.destroyed) return
  if (reply.raw.headersSent) return void reply.raw.destroy()
  // The rest of a request's body is not waited for.
  if (!reply.request.raw.complete) reply.header('connection', 'close')
  const late = Object.assign(Object.create(reply) as FastifyReply, { send: reply.send })
  // What the handler sends from now on would mix with the 503.
  reply.send = () => reply
  void late.code(503).send(Object.assign(new Error('The reply timed out'), { code: REPLY_TIMEOUT }))
}
