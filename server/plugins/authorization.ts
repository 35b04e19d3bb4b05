import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { can, isStaff, type Permission, type StaffRole } from '#features/auth/permissions.ts'
import { lacksRequiredFactor } from '#features/auth/staff-access.ts'
import type { Deps } from '../deps.ts'

/** The person of the staff who asks; also the actor of `audit`. */
export interface Staff {
  id: number
  name: string
  role: StaffRole
  ip: string
  /** For fields that differ by right; the route's own right is checked already. */
  can(right: Permission): boolean
}

/** An address of the admin and what it takes to use it. */
export interface GuardedRoute {
  method: string
  url: string
  rights: readonly Permission[]
  isPage: boolean
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The right the address needs (of several, one): every address below /admin and /api/admin names it. */
    right?: Permission | readonly Permission[]
    /** What the call changes is seen in the shop: kept pages go before it answers. */
    invalidatesCache?: boolean
  }
  interface FastifyRequest {
    /** Behind a `right` there is always somebody. */
    staff: Staff
  }
  interface FastifyInstance {
    adminGuardedRoutes: GuardedRoute[]
  }
}

const OFFICE = /^\/(api\/)?admin(\/|$)/

/** Sends the page that says which right is missing. */
export type DeniedPage = (request: FastifyRequest, reply: FastifyReply, rights: readonly Permission[]) => Promise<FastifyReply>

/**
 * Lets only those of the staff in who have the right: a stranger goes to /login, a customer and the wrong role get 403 [E5].
 * An address of the admin that names no right stops the start. Nothing of the admin is kept by browsers or proxies.
 */
export function authorizeAdmin(app: FastifyInstance, deps: Pick<Deps, 'catalogRevision' | 'facts'>, deniedPage: DeniedPage): void {
  app.decorate('adminGuardedRoutes', [])
  app.decorateRequest('staff', null as unknown as Staff)

  app.addHook('onRoute', (route) => {
    const right = route.config?.right
    if (!right && OFFICE.test(route.url)) throw new Error(`${String(route.method)} ${route.url} names no right`)
    if (!right) return
    const rights = typeof right === 'string' ? [right] : right
    for (const method of [route.method].flat())
      app.adminGuardedRoutes.push({ method, url: route.url, rights, isPage: route.config?.page === true })
  })

  app.addHook('onRequest', async (request, reply) => {
    const { right, page } = request.routeOptions.config
    if (!right) return
    reply.header('cache-control', 'no-store')
    const { user, locked } = request.viewer
    if (locked) {
      if (!page) return reply.refuse(423, 'lock.locked')
      return reply.redirect(`/unlock?next=${encodeURIComponent(request.url)}`, 303)
    }
    if (!user) {
      if (!page) return reply.refuse(401, 'error.not-signed-in')
      return reply.redirect(`/login?next=${encodeURIComponent(request.url)}`, 303)
    }
    const { role } = user
    if (!isStaff(role)) return reply.refuse(403, 'error.not-allowed')
    if (lacksRequiredFactor(user, await deps.facts.settings())) {
      return page ? reply.redirect('/account/security/second-factor', 303) : reply.refuse(403, 'admin.factor-needed')
    }
    request.staff = { id: user.id, name: user.name, role, ip: request.ip, can: (wanted) => can(role, wanted) }
    if (can(role, right)) return
    return page ? deniedPage(request, reply, typeof right === 'string' ? [right] : right) : reply.refuse(403, 'error.not-allowed')
  })

  app.addHook('onSend', async (request, reply, payload) => {
    if (request.routeOptions.config.invalidatesCache && reply.statusCode < 400) deps.catalogRevision.advance()
    return payload
  })
}
