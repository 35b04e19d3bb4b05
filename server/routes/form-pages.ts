import type { FastifyPluginAsync } from 'fastify'
import { viewKeySuffix } from '#features/orders/order-access.server.ts'
import { readId } from '#lib/format/id.ts'

const SECURITY = '/account/security'

/** The pages of forms that are sent to an address of their own. */
const PAGES = {
  '/login/code': '/login?way=code',
  '/code/resend': '/code',
  '/account/confirm/code': '/account/confirm',
  [`${SECURITY}/devices/:id/sign-out`]: SECURITY,
  [`${SECURITY}/devices/sign-out-others`]: SECURITY,
  [`${SECURITY}/second-factor/begin`]: `${SECURITY}/second-factor`,
  [`${SECURITY}/second-factor/confirm`]: `${SECURITY}/second-factor`,
  [`${SECURITY}/second-factor/end`]: `${SECURITY}/second-factor`,
}

/**
 * Redirects from the address of a form to its page. A rejected form is shown at that address, and switching the language, or opening the tab
 * again, requests it.
 */
export const formPages: FastifyPluginAsync = async (app) => {
  const options = { schema: { hide: true } } as const
  for (const [url, page] of Object.entries(PAGES)) app.get(url, options, (_request, reply) => reply.redirect(page, 303))
  type Query = { Querystring: Record<string, string | undefined> }
  for (const url of ['/orders/:id/pay', '/orders/:id/payment-method'])
    app.get<Query & { Params: { id: string } }>(url, options, ({ params, query }, reply) =>
      reply.redirect(`/invoice/${readId(params.id) ?? 0}${viewKeySuffix(query.key)}`, 303),
    )
  app.get<Query>('/order-store', options, ({ query }, reply) => {
    const id = readId(query.pid)
    return reply.redirect(id === null ? '/' : `/order/place/${id}`, 303)
  })
}
