import type { FastifyInstance, FastifyRequest } from 'fastify'
import { LOG_LEVELS } from '#lib/runtime/log.server.ts'
import type { Deps } from '../deps.ts'

const NOT_FOUND = '(not found)'
/** Asked every few seconds by a load balancer. */
const PROBES = new Set(['/healthz', '/readyz', '/metrics'])

/** The pattern of the route (`/products/:id`), never the URL, which may hold names and keys. */
export function routePattern(request: FastifyRequest): string {
  return request.is404 ? NOT_FOUND : (request.routeOptions.url ?? NOT_FOUND)
}

/** Counts each response, and at log level info writes a line for it. Files and probes are counted only. */
export function observeRequests(app: FastifyInstance, { env, metrics }: Pick<Deps, 'env' | 'metrics'>): void {
  const isLogged = LOG_LEVELS.indexOf(env.logLevel) <= LOG_LEVELS.indexOf('info')
  if (!isLogged && metrics === null) return
  app.addHook('onResponse', (request, reply, done) => {
    const { method } = request
    const { statusCode: status, elapsedTime } = reply
    const route = routePattern(request)
    metrics?.metrics.recordRequest(method, route, status, elapsedTime / 1000)
    if (isLogged && !request.routeOptions.config?.static && !PROBES.has(route))
      request.log.info({ method, route, status, ms: Math.round(elapsedTime * 10) / 10 }, 'request')
    done()
  })
}
