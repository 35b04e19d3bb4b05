// The permissions of each role [E5]. Owner: all. Manager: all but staff, settings and the files of backups. Sales: orders, customers, bookings and SMS.
// Cashier: POS. Weigher: weigh-ins. Viewer: read only. Each admin route names its permission (server/plugins/authorization.ts). Pages hide
// what the user may not do; the server enforces it.
import type { Actor } from '#features/audit/audit.server.ts'
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
  /** The admin itself: dashboard, search, the user's saved filters. */
  'admin.enter': ALL,
  'orders.read': SALES_READ,
  'orders.write': SALES,
  /** Reopen a cancelled, returned or completed order [S6]. */
  'orders.reopen': MANAGERS,
  /** Change a price, or discount an order. */
  'orders.price': MANAGERS,
  /** Record payments and verify advances. */
  'payments.write': SALES,
  /** Refund payments. */
  'payments.refund': MANAGERS,
  /** Reconcile payments with statements of bank and wallet accounts. */
  'payments.reconcile': MANAGERS,
  'customers.read': SALES_READ,
  'customers.write': SALES,
  /** Change the phone of a customer's account, or merge customers. */
  'customers.accounts': MANAGERS,
  'leaderboard.read': SALES_READ,
  'bookings.read': SALES_READ,
  'bookings.write': SALES,
  'sms.read': SALES_READ,
  'sms.send': SALES,
  /** Send an SMS to all customers of a list. */
  'campaigns.send': MANAGERS,
  'catalog.read': ALL,
  /** Products, categories, slots, popups, areas, coupons, rates. */
  'catalog.write': MANAGERS,
  /** The codes of coupons. With one, a cashier gives a discount above the limit of the POS without a supervisor. */
  'coupons.read': SALES_READ,
  'weighins.read': ['owner', 'manager', 'sales', 'weigher', 'viewer'],
  'weighins.write': ['owner', 'manager', 'weigher'],
  'pos.read': ['owner', 'manager', 'cashier', 'viewer'],
  'pos.sell': ['owner', 'manager', 'cashier'],
  /** Approve what a cashier may not do alone: a higher discount, another price, products on hold. */
  'pos.approve': MANAGERS,
  'reports.read': MANAGERS_READ,
  'audit.read': MANAGERS,
  /** The list of backups, and the alarm. */
  'backups.read': MANAGERS,
  /** Start and download backups: a file holds all data. */
  'backups.write': OWNER,
  'settings.read': OWNER,
  'settings.write': OWNER,
  'staff.read': OWNER,
  'staff.write': OWNER,
} as const satisfies Record<string, readonly StaffRole[]>

export type Permission = keyof typeof PERMISSIONS

/** A member of staff who acts, with the permissions of the role. */
export interface StaffActor extends Actor {
  can(permission: Permission): boolean
}

export const PERMISSION_NAMES = Object.keys(PERMISSIONS) as readonly Permission[]

/** Whether the role is one of the staff. */
export function isStaff(role: Role): role is StaffRole {
  // The user of walk-in sales has a role of its own and is neither.
  return (STAFF_ROLES as readonly string[]).includes(role)
}

/** Whether a role has a permission; of several, one is enough. */
export function can(role: Role, permission: Permission | readonly Permission[]): boolean {
  const permissions: readonly Permission[] = typeof permission === 'string' ? [permission] : permission
  return permissions.some((one) => (PERMISSIONS[one] as readonly Role[]).includes(role))
}
