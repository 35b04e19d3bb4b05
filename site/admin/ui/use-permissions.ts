import { can, type Permission } from '#features/auth/permissions.ts'
import type { Role } from '#features/auth/sessions.server.ts'
import { usePageContext } from '#page/page-context.tsx'

/** The viewer's role and permissions, to show and hide controls; the server enforces them. */
export function usePermissions(): { role: Role; can(right: Permission): boolean } {
  const role = (usePageContext().user?.role ?? 'customer') as Role
  return { role, can: (right) => can(role, right) }
}
