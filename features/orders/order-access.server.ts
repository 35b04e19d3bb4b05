import type { FastifyReply } from 'fastify'
import { LEGACY_ORDER_ACCESS_COOKIE, orderAccessCookie } from '#features/auth/cookies.ts'
import type { Permission } from '#features/auth/permissions.ts'
import type { SignedInUser } from '#features/auth/sessions.server.ts'
import { staffMay, type StaffSettings } from '#features/auth/staff-access.ts'
import type { SeeOrder } from '#features/payments/api.server.ts'
import type { Settings } from '#features/settings/settings.ts'
import { DAY_SECONDS } from '#lib/format/time.ts'
import { isHttps } from '#lib/http/is-https.ts'
import { readCookie } from '#lib/http/read-cookie.ts'
import { mayOpenOrder, type OrderVisitor } from './queries.server.ts'

const MAX_AGE_SECONDS = 400 * DAY_SECONDS

/** The unsigned token of releases up to 0.1; null without one. */
export function legacyOrderAccessToken(cookieHeader: string | undefined): string | null {
  const token = readCookie(cookieHeader, LEGACY_ORDER_ACCESS_COOKIE)
  return token !== null && /^[\w-]{20,60}$/.test(token) ? token : null
}

/** Sets the cookie of the order access token. */
export function setOrderAccessCookie({ env }: { env: { publicUrl: string } }): (reply: FastifyReply, token: string) => void {
  const secure = isHttps(env.publicUrl)
  const options = { path: '/', httpOnly: true, sameSite: 'lax', secure, maxAge: MAX_AGE_SECONDS } as const
  return (reply, token) => void reply.setCookie(orderAccessCookie(secure), token, options)
}

/** Applies the access rule of the invoice to other calls about an order. Staff need `permission`. */
export function canSeeOrder({ readSettings }: { readSettings: () => Promise<Settings> }): SeeOrder {
  return async (request, order, permission) => {
    const key = (request.query as Record<string, unknown>).key
    const visitor = orderVisitor(request.viewer, typeof key === 'string' ? key : null, { permission, settings: await readSettings() })
    return mayOpenOrder({ customer_id: order.customerId, access_token_hash: order.browserHash, view_key: order.viewKey }, visitor)
  }
}

/** The query with the key of a signed link; empty without one. */
export function viewKeySuffix(key: string | null | undefined): string {
  return key ? `?key=${encodeURIComponent(key)}` : ''
}

/** The visitor of an order. `staff`: the permission that opens orders of others; without it staff open only what buyers open. */
export function orderVisitor(
  { user, browser }: { user: SignedInUser | null; browser: string | null },
  key: string | null | undefined,
  staff?: { permission: Permission; settings: StaffSettings },
): OrderVisitor {
  return { user, browser, key: key ?? null, isPermittedStaff: staff !== undefined && staffMay(user, staff.permission, staff.settings) }
}
