import type { FastifyRequest } from 'fastify'

// Whether a request comes from a browser's form or page, or from a script.

/** Whether the body is that of a form, in which every field is text and an unticked box is missing. */
export function hasFormBody({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return headers['content-type']?.startsWith('application/x-www-form-urlencoded') ?? false
}

/** Whether a browser without scripts sent a form: the reply is a page or a redirect. A script may send a form too, and asks for JSON. */
export function isForm(request: Pick<FastifyRequest, 'headers'>): boolean {
  return hasFormBody(request) && !wantsJson(request)
}

/** Whether the request asks for JSON. A form sent by a browser without scripts does not. */
export function wantsJson({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return (headers.accept ?? '').includes('application/json')
}

/** Pages and forms without script get the error page. A request that accepts or sends JSON gets JSON. */
export function wantsPage(request: FastifyRequest): boolean {
  const { accept = '', 'content-type': sent = '' } = request.headers
  if (request.url.startsWith('/api/') || wantsJson(request)) return false
  if (accept.includes('text/html')) return true
  return request.routeOptions.config.page === true && !sent.startsWith('application/json')
}
