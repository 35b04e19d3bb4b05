import type { FastifyInstance } from 'fastify'
import { trustedProxies } from '#lib/http/trusted-proxies.server.ts'
import type { Deps } from '../deps.ts'
import type { RequestTrace } from '../tracing/tracing.server.ts'
import { routePattern } from './observe-requests.ts'

declare module 'fastify' {
  interface FastifyRequest {
    trace: RequestTrace | null
  }
}

/** Gives each request a span whose children are its database queries. Adds nothing without a collector. */
export function traceRequests(app: FastifyInstance, { env, tracing }: Pick<Deps, 'env' | 'tracing'>): void {
  if (tracing === null) return
  const isFromProxy = trustedProxies(env.trustProxy)
  app.decorateRequest('trace', null)
  app.addHook('onRequest', (request, _reply, done) => {
    const parent = isFromProxy(request.raw) ? request.headers.traceparent : undefined
    request.trace = tracing.startRequest(request.method, typeof parent === 'string' ? parent : undefined)
    tracing.run(request.trace, done)
  })
  // Reading a body continues in the events of the socket, which belong to no request.
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.trace) tracing.run(request.trace, done)
    else done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    if (request.trace) tracing.endRequest(request.trace, request.method, routePattern(request), reply.statusCode)
    request.trace = null
    done()
  })
}
