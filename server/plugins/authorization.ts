import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isAdminOrItsApi } from '#features/auth/admin-path-rules.ts'
import { can, isStaff, type Permission, type StaffActor, type StaffRole } from '#features/auth/permissions.ts'
import { confirmAddress } from '#features/auth/confirm-address.ts'
import { isRecentlyAuthenticated } from '#features/auth/sessions.server.ts'
import { lacksRequiredFactor } from '#features/auth/staff-access.ts'
import type { Deps } from '../deps.ts'
import { isUsersPage } from './csrf.ts'

/** The staff member of a request; also the actor of `audit`. */
export interface Staff extends StaffActor {
  name: string
  role: StaffRole
}

/** An admin route and the permissions of which it needs one. */
export interface GuardedRoute {
  method: string
  url: string
  permissions: readonly Permission[]
  isPage: boolean
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The required permission, or one of several. Every route below /admin and /api/admin names one. */
    permission?: Permission | readonly Permission[]
    /**
     * Lasting access or the shop's money is at stake, and the screen may be unattended: the route needs the password or a code of the last minutes.
     * The page that asks for it leads to this one.
     */
    recentProofFor?: string
    /** The route changes the storefront: caches are cleared before it replies. */
    invalidatesCache?: boolean
  }
  interface FastifyRequest {
    /** Set on every route with a `permission`. */
    staff: Staff
  }
  interface FastifyInstance {
    adminGuardedRoutes: GuardedRoute[]
  }
}

/** Renders the page that names the missing permission. */
export type DeniedPage = (request: FastifyRequest, reply: FastifyReply, permissions: readonly Permission[]) => Promise<FastifyReply>

/** Leads to the page that asks for the password or a code; a script is told its address. */
function askForProof(request: FastifyRequest, reply: FastifyReply, next: string): FastifyReply | Promise<FastifyReply> {
  const redirect = confirmAddress(next)
  return request.method === 'GET' ? reply.redirect(redirect, 303) : reply.fail(403, 'auth.confirm-first', { redirect })
}

/**
 * Authorizes admin routes: an anonymous request is redirected to /login, a customer and a role without the permission get 403.
 * Registering an admin route without a `permission` throws. Admin responses are `no-store`.
 */
export function authorizeAdmin(
  app: FastifyInstance,
  deps: Pick<Deps, 'catalogRevision' | 'now' | 'shopCache'>,
  deniedPage: DeniedPage,
): void {
  app.decorate('adminGuardedRoutes', [])
  app.decorateRequest('staff', null as unknown as Staff)

  app.addHook('onRoute', (route) => {
    const permission = route.config?.permission
    if (!permission && isAdminOrItsApi(route.url)) throw new Error(`${String(route.method)} ${route.url} has no permission`)
    if (!permission) return
    const permissions = typeof permission === 'string' ? [permission] : permission
    for (const method of [route.method].flat())
      app.adminGuardedRoutes.push({ method, url: route.url, permissions, isPage: route.config?.page === true })
  })

  app.addHook('onRequest', async (request, reply) => {
    const { permission, page, recentProofFor } = request.routeOptions.config
    if (!permission) return
    reply.header('cache-control', 'no-store')
    const { user, locked } = request.viewer
    if (locked) {
      if (!page) return reply.fail(423, 'lock.locked')
      return reply.redirect(`/unlock?next=${encodeURIComponent(request.url)}`, 303)
    }
    if (!user) {
      // The typed text is still on that page.
      if (!page) return reply.fail(401, isUsersPage(request) ? 'error.session-ended' : 'error.not-signed-in')
      return reply.redirect(`/login?next=${encodeURIComponent(request.url)}`, 303)
    }
    const { role } = user
    if (!isStaff(role)) return reply.fail(403, 'error.not-allowed')
    if (lacksRequiredFactor(user, await deps.shopCache.settings())) {
      return page ? reply.redirect('/account/security/second-factor', 303) : reply.fail(403, 'admin.factor-needed')
    }
    request.staff = { kind: 'staff', id: user.id, name: user.name, role, ip: request.ip, can: (wanted) => can(role, wanted) }
    if (!can(role, permission)) {
      if (!page) return reply.fail(403, 'error.not-allowed')
      return deniedPage(request, reply, typeof permission === 'string' ? [permission] : permission)
    }
    if (recentProofFor !== undefined && !isRecentlyAuthenticated(user, deps.now())) return askForProof(request, reply, recentProofFor)
  })

  app.addHook('onSend', async (request, reply, payload) => {
    if (request.routeOptions.config.invalidatesCache && reply.statusCode < 400) deps.catalogRevision.advance()
    return payload
  })
}
