import type { FastifyInstance, FastifyReply } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Milliseconds until the call is answered with 503, where they are more than usual. */
    timeoutMs?: number
  }
  interface FastifyReply {
    /** When somebody who waits for this answer hears that there is none; by `performance.now()`. */
    dueAt: number
    /** Its place among those that are not answered yet, -1 when it is. */
    openAt: number
  }
}

export const TOOK_TOO_LONG = 'TOOK_TOO_LONG'

interface TimeLimit {
  usualMs: number
  /** How often is looked whose time is over. */
  everyMs?: number
}

/**
 * Nobody waits longer for an answer than its route says. Not Fastify's `handlerTimeout`: that one is over as soon as a body is
 * read, so it guards no write, and its signal for every request, which nothing here listens to, costs as much as pricing an order.
 */
export function registerRequestTimeout(app: FastifyInstance, { usualMs, everyMs = 500 }: TimeLimit): void {
  const open = new PendingReplies()
  app.decorateReply('dueAt', 0)
  app.decorateReply('openAt', -1)
  app.addHook('onRequest', (request, reply, done) => {
    reply.dueAt = performance.now() + (request.routeOptions.config.timeoutMs ?? usualMs)
    open.add(reply)
    done()
  })
  app.addHook('onResponse', (_request, reply, done) => {
    open.delete(reply)
    done()
  })
  const look = setInterval(() => {
    const now = performance.now()
    for (const reply of open.dueBefore(now)) {
      open.delete(reply)
      endLate(reply)
    }
  }, everyMs)
  look.unref()
  app.addHook('onClose', async () => clearInterval(look))
}

/**
 * Who waits. Not a Set: one that changes with every request is moved from table to table, and a table that is left still leads to the next. With the
 * first of them among the old objects, the clearing of young ones keeps them all, and with them every request there was (decision 60).
 */
class PendingReplies {
  readonly #replies: FastifyReply[] = []

  add(reply: FastifyReply): void {
    reply.openAt = this.#replies.push(reply) - 1
  }

  delete(reply: FastifyReply): void {
    if (reply.openAt < 0) return
    const last = this.#replies.pop()!
    if (last !== reply) {
      this.#replies[reply.openAt] = last
      last.openAt = reply.openAt
    }
    reply.openAt = -1
  }

  dueBefore(now: number): FastifyReply[] {
    return this.#replies.filter((reply) => reply.dueAt <= now)
  }
}

/** What is being sent already may take as long as its reader; a head without an end is broken off. */
function endLate(reply: FastifyReply): void {
  if (reply.sent) return
  if (reply.raw.headersSent) reply.raw.destroy()
  else void reply.send(Object.assign(new Error('The answer took too long'), { code: TOOK_TOO_LONG }))
}
