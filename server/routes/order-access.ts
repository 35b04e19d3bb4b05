import type { FastifyReply } from 'fastify'
import { staffMay } from '#features/auth/staff-access.ts'
import { mayOpenOrder } from '#features/orders/queries.server.ts'
import type { SeeOrder } from '#features/payments/api.server.ts'
import { browserCookie } from '../cookies.ts'
import type { Deps } from '../deps.ts'

const KEEP_SECONDS = 400 * 86_400

/** Gives the browser its secret, which opens the orders placed with it. */
export function setOrderAccessCookie(deps: Pick<Deps, 'env'>): (reply: FastifyReply, secret: string) => void {
  const secure = deps.env.publicUrl.startsWith('https:')
  const options = { path: '/', httpOnly: true, sameSite: 'lax', secure, maxAge: KEEP_SECONDS } as const
  return (reply, secret) => void reply.setCookie(browserCookie(secure), secret, options)
}

/** The access rule of the invoice, for calls about an order. Staff need `permission`. */
export function canSeeOrder({ facts }: Pick<Deps, 'facts'>): SeeOrder {
  return async (request, order, permission) => {
    const { user, browser } = request.viewer
    const key = (request.query as Record<string, unknown>).key
    return mayOpenOrder(
      { customer_id: order.customerId, access_token_hash: order.browserHash, view_key: order.viewKey },
      { user, browser, key: typeof key === 'string' ? key : null, isPermittedStaff: staffMay(user, permission, await facts.settings()) },
    )
  }
}
