import { createHash, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Env } from '#lib/runtime/env.server.ts'
import type { Deps } from '../deps.ts'
import { explainPort } from '../ports.ts'
import type { RunningMetrics } from './running-metrics.ts'

/** `/metrics` on the shop's own port, for requests with the token. Without the setting the path does not exist. */
export function registerMetricsRoute(app: FastifyInstance, { env, metrics }: Pick<Deps, 'env' | 'metrics'>): void {
  const token = env.observability.metricsToken
  if (token === null || metrics === null) return
  app.get('/metrics', { schema: { hide: true }, config: { static: true } }, async (request, reply) => {
    reply.header('cache-control', 'no-store')
    if (!isAuthorized(request.raw, token)) return reply.code(401).header('www-authenticate', 'Bearer').send({ message: 'Unauthorized' })
    return reply.type(metrics.metrics.registry.contentType).send(await metrics.text())
  })
}

/** Serves the metrics alone on METRICS_PORT. Returns null when the setting is missing. */
export async function listenForMetrics(env: Env, running: RunningMetrics): Promise<Server | null> {
  const { metricsPort: port, metricsHost: host, metricsToken: token } = env.observability
  if (port === null) return null
  const server = createServer({ requestTimeout: 10_000 }, (req, res) => {
    answer(req, res, token, running).catch(() => res.destroy())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(explainPort(error, { port, host }, 'METRICS_')))
    server.listen(port, host, resolve)
  })
  return server
}

async function answer(req: IncomingMessage, res: ServerResponse, token: string | null, running: RunningMetrics): Promise<void> {
  const path = req.url?.split('?')[0]
  if (path !== '/metrics' || (req.method !== 'GET' && req.method !== 'HEAD')) {
    res.writeHead(404).end()
    return
  }
  if (token !== null && !isAuthorized(req, token)) {
    res.writeHead(401, { 'www-authenticate': 'Bearer' }).end()
    return
  }
  const text = await running.text()
  res.writeHead(200, { 'content-type': running.metrics.registry.contentType, 'cache-control': 'no-store' })
  res.end(req.method === 'HEAD' ? undefined : text)
}

/** Compares hashes, which have one length, in constant time. */
function isAuthorized(req: IncomingMessage, token: string): boolean {
  const given = /^Bearer (\S+)$/i.exec(req.headers.authorization ?? '')?.[1]
  const hash = (text: string) => createHash('sha256').update(text).digest()
  return given !== undefined && timingSafeEqual(hash(given), hash(token))
}
