import { can, type Right } from '#features/auth/permissions.ts'
import type { Role } from '#features/auth/sessions.server.ts'
import { useShell } from '#page/page-context.tsx'

/** The role of who looks, and whether it has a right: for showing and hiding; the server decides. */
export function useRights(): { role: Role; can(right: Right): boolean } {
  const role = (useShell().user?.role ?? 'customer') as Role
  return { role, can: (right) => can(role, right) }
}
