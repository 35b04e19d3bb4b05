import type { FastifyRequest } from 'fastify'

/** Whether the request asks for JSON. A form sent by a browser without scripts does not. */
export function wantsJson(request: FastifyRequest): boolean {
  return (request.headers.accept ?? '').includes('application/json')
}
