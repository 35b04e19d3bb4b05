import type { FastifyInstance } from 'fastify'
import type { PageSource } from '../page/assets.ts'

const SCOPE = '/admin/quick-orders'

/** Serves the POS service worker; 404 in development. */
export function posWorkerRoute(app: FastifyInstance, source: PageSource): void {
  app.get(`${SCOPE}/worker.js`, { config: { permission: 'pos.read' } }, (_request, reply) => {
    const script = source.posWorker()
    if (script === null) return reply.fail(404, 'error.not-found')
    return reply.type('text/javascript; charset=utf-8').header('service-worker-allowed', SCOPE).send(script)
  })
}
