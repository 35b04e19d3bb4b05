import type { FastifyInstance, FastifyReply } from 'fastify'
import { READER_TIMEOUT_MS } from '#lib/http/reader-timeout.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Milliseconds until the request is answered with 503, where the default is too short. */
    timeoutMs?: number
  }
  interface FastifyReply {
    /** The deadline of the reply, by `performance.now()`. */
    dueAt: number
    /** The index in `PendingReplies`; -1 once the reply is sent. */
    pendingIndex: number
    /** What the connection had sent when the reply was last due, in bytes. */
    bytesSent: number
  }
}

export const REPLY_TIMEOUT = 'REPLY_TIMEOUT'

interface TimeoutOptions {
  defaultMs: number
  /** How long a reader may take nothing of a body. */
  readerMs?: number
  /** The interval between two checks of the deadlines. */
  checkEveryMs?: number
}

/**
 * Answers a request with 503 after its route's timeout. A body may take as long as its reader takes more of it. Fastify's `handlerTimeout` ends when the body is read, so it does not cover a
 * write, and its abort signal costs as much a request as pricing an order.
 */
export function registerRequestTimeout(
  app: FastifyInstance,
  { defaultMs, readerMs = READER_TIMEOUT_MS, checkEveryMs = 500 }: TimeoutOptions,
): void {
  const pending = new PendingReplies()
  app.decorateReply('dueAt', 0)
  app.decorateReply('pendingIndex', -1)
  app.decorateReply('bytesSent', -1)
  app.addHook('onRequest', (request, reply, done) => {
    reply.dueAt = performance.now() + (request.routeOptions.config.timeoutMs ?? defaultMs)
    pending.add(reply)
    done()
  })
  app.addHook('onResponse', (_request, reply, done) => {
    pending.delete(reply)
    done()
  })
  const timer = setInterval(() => {
    const now = performance.now()
    for (const reply of pending.dueBefore(now)) {
      if (hasSentMore(reply)) reply.dueAt = now + readerMs
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

/** Whether more of the body has been sent since the reply was last due. */
function hasSentMore(reply: FastifyReply): boolean {
  const { headersSent, socket } = reply.raw
  if (!headersSent || !socket) return false
  const before = reply.bytesSent
  reply.bytesSent = socket.bytesWritten
  return reply.bytesSent > before
}

/** Fails the reply. One whose body is complete may take as long as its reader; one with headers but no end is cut off. */
function replyTimeout(reply: FastifyReply): void {
  if (reply.sent) return
  if (reply.raw.headersSent) reply.raw.destroy()
  else void reply.send(Object.assign(new Error('The reply timed out'), { code: REPLY_TIMEOUT }))
}
