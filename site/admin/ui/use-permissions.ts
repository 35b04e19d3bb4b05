import { can, type Permission } from '#features/auth/permissions.ts'
import type { Role } from '#features/auth/sessions.server.ts'
import { usePageContext } from '#page/page-context.tsx'

const BY_SMS: readonly Permission[] = ['sms.send', 'campaigns.send']

/**
 * The viewer's role and permissions, to show and hide controls; the server enforces them. In a shop that sends no SMS nobody may send one.
 */
export function usePermissions(): { role: Role; can(permission: Permission): boolean } {
  const { user, sendsSms } = usePageContext()
  const role = (user?.role ?? 'customer') as Role
  return { role, can: (permission) => can(role, permission) && (sendsSms || !BY_SMS.includes(permission)) }
}
