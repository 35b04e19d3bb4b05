// Who of the staff may do what [E5]. The owner everything; the manager everything but staff and settings; sales the orders, customers,
// bookings and SMS; the cashier the till; the weigher the scale; the viewer looks. Each address of the admin names the right it
// needs (server/plugins/admin-guard.ts); screens hide what the right is missing for, but it is the server that refuses.
import type { Role } from './sessions.server.ts'

export type StaffRole = Exclude<Role, 'customer'>

export const STAFF_ROLES: readonly StaffRole[] = ['owner', 'manager', 'sales', 'cashier', 'weigher', 'viewer']

const ALL = STAFF_ROLES
const OWNER = ['owner'] as const
const MANAGERS = ['owner', 'manager'] as const
const SALES = ['owner', 'manager', 'sales'] as const
const SALES_READ = ['owner', 'manager', 'sales', 'viewer'] as const
const MANAGERS_READ = ['owner', 'manager', 'viewer'] as const

const PERMISSIONS = {
  /** The frame: dashboard, looking things up, one's own saved filters. */
  'admin.enter': ALL,
  'orders.read': SALES_READ,
  'orders.write': SALES,
  /** A cancelled, returned or completed order lives again [S6]. */
  'orders.reopen': MANAGERS,
  /** Another price than the list's, or a sum off the order. */
  'orders.price': MANAGERS,
  /** An advance or a payment is entered, or found to have arrived. */
  'payments.write': SALES,
  /** Money goes back. */
  'payments.refund': MANAGERS,
  'customers.read': SALES_READ,
  'customers.write': SALES,
  /** Whose account it is: another phone for a customer who has one, or merging it into another. */
  'customers.accounts': MANAGERS,
  'leaderboard.read': SALES_READ,
  'bookings.read': SALES_READ,
  'bookings.write': SALES,
  'sms.read': SALES_READ,
  'sms.send': SALES,
  'catalog.read': ['owner', 'manager', 'sales', 'cashier', 'weigher', 'viewer'],
  /** Products, categories, slots, popups, areas, coupons, rates. */
  'catalog.write': MANAGERS,
  'weighins.read': ['owner', 'manager', 'sales', 'weigher', 'viewer'],
  'weighins.write': ['owner', 'manager', 'weigher'],
  'pos.read': ['owner', 'manager', 'cashier', 'viewer'],
  'pos.sell': ['owner', 'manager', 'cashier'],
  /** What a cashier does not do alone: more discount, another price, goods that are held back. */
  'pos.approve': MANAGERS,
  'reports.read': MANAGERS_READ,
  'audit.read': MANAGERS,
  'settings.read': OWNER,
  'settings.write': OWNER,
  'staff.read': OWNER,
  'staff.write': OWNER,
} as const satisfies Record<string, readonly StaffRole[]>

export type Permission = keyof typeof PERMISSIONS

export const PERMISSION_NAMES = Object.keys(PERMISSIONS) as readonly Permission[]

export function isStaff(role: Role): role is StaffRole {
  return role !== 'customer'
}

/** Whether a role has the right; of several, one is enough. */
export function can(role: Role, right: Permission | readonly Permission[]): boolean {
  const wanted: readonly Permission[] = typeof right === 'string' ? [right] : right
  return wanted.some((one) => (PERMISSIONS[one] as readonly Role[]).includes(role))
}
