import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { can, isStaff, type Permission, type StaffRole } from '#features/auth/permissions.ts'
import { lacksRequiredFactor } from '#features/auth/staff-access.ts'
import type { Deps } from '../deps.ts'

/** The staff member of a request; also the actor of `audit`. */
export interface Staff {
  id: number
  name: string
  role: StaffRole
  ip: string
  /** Checks permissions beyond the route's own. */
  can(right: Permission): boolean
}

/** An admin route and the permissions of which it needs one. */
export interface GuardedRoute {
  method: string
  url: string
  rights: readonly Permission[]
  isPage: boolean
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The required permission, or one of several. Every route below /admin and /api/admin names one. */
    right?: Permission | readonly Permission[]
    /** The route changes the storefront: caches are cleared before it replies. */
    invalidatesCache?: boolean
  }
  interface FastifyRequest {
    /** Set on every route with a `right`. */
    staff: Staff
  }
  interface FastifyInstance {
    adminGuardedRoutes: GuardedRoute[]
  }
}

const ADMIN_PATH = /^\/(api\/)?admin(\/|$)/

/** Renders the page that names the missing permission. */
export type DeniedPage = (request: FastifyRequest, reply: FastifyReply, rights: readonly Permission[]) => Promise<FastifyReply>

/**
 * Authorizes admin routes: an anonymous request is redirected to /login, a customer and a role without the permission get 403.
 * Registering an admin route without a `right` throws. Admin responses are `no-store`.
 */
export function authorizeAdmin(app: FastifyInstance, deps: Pick<Deps, 'catalogRevision' | 'facts'>, deniedPage: DeniedPage): void {
  app.decorate('adminGuardedRoutes', [])
  app.decorateRequest('staff', null as unknown as Staff)

  app.addHook('onRoute', (route) => {
    const right = route.config?.right
    if (!right && ADMIN_PATH.test(route.url)) throw new Error(`${String(route.method)} ${route.url} has no right`)
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
