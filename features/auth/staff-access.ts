// The conditions for using a permission of the staff. The admin guard and the order pages outside the admin share them.
import { can, isStaff, type Permission } from './permissions.ts'
import type { SignedInUser } from './sessions.server.ts'

export type StaffSettings = { staff_second_factor: boolean }

/** True while the owner requires a second factor of all staff and this user has not set one up. */
export function lacksRequiredFactor(user: Pick<SignedInUser, 'hasSecondFactor'>, settings: StaffSettings): boolean {
  return settings.staff_second_factor && !user.hasSecondFactor
}

/** True for a member of staff whose role has the permission and who has the second factor, where it is required. */
export function staffMay(
  user: Pick<SignedInUser, 'role' | 'hasSecondFactor'> | null,
  permission: Permission,
  settings: StaffSettings,
): boolean {
  return user !== null && isStaff(user.role) && !lacksRequiredFactor(user, settings) && can(user.role, permission)
}
