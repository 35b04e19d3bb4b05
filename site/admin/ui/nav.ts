import type { ComponentType, SVGProps } from 'react'
import { can, type Permission } from '#features/auth/permissions.ts'
import type { Role } from '#features/auth/sessions.server.ts'
import type { MessageKey } from '#lib/i18n/translate.ts'
import {
  ArchiveIcon,
  CardIcon,
  ChartIcon,
  CheckIcon,
  CouponIcon,
  FolderIcon,
  GearIcon,
  HoldIcon,
  LogIcon,
  MapIcon,
  MessageIcon,
  MoonIcon,
  OrdersIcon,
  PeopleIcon,
  PopupIcon,
  PosIcon,
  RateIcon,
  RowsIcon,
  ScaleIcon,
  ShopIcon,
  StaffIcon,
  SunIcon,
  TagIcon,
  TextIcon,
  TrophyIcon,
  WalletIcon,
} from './icons.tsx'

export interface NavItem {
  href: string
  key: MessageKey
  permission: Permission | readonly Permission[]
  Icon: ComponentType<SVGProps<SVGSVGElement> & { size?: number }>
  /** Roles without work there: the sidebar leaves the page out, its URL still opens. */
  hiddenFor?: readonly Role[]
}

/** The signed-in person's own account: password, two-step verification, devices. */
export const ACCOUNT = '/account/security'

interface NavGroup {
  key: MessageKey | null
  /** Folded up while the current page is not in it. */
  isFolded?: boolean
  items: NavItem[]
}

/** Roles that work in the yard and at the counter. They may read the catalog, and do not work on these pages. */
const FLOOR_ROLES: readonly Role[] = ['weigher', 'cashier']

/** The areas of the admin in the order of the sidebar. Rarely used groups are folded, so that it fits 800 px. */
const GROUPS: NavGroup[] = [
  {
    key: null,
    items: [{ href: '/admin', key: 'admin.nav.dashboard', permission: 'admin.enter', Icon: SunIcon }],
  },
  {
    key: 'admin.group.sales',
    items: [
      { href: '/admin/orders', key: 'admin.nav.orders', permission: 'orders.read', Icon: OrdersIcon },
      { href: '/admin/quick-orders', key: 'pos.title', permission: 'pos.read', Icon: PosIcon },
      { href: '/admin/advances', key: 'admin.nav.advances', permission: 'orders.read', Icon: WalletIcon },
      { href: '/admin/payments', key: 'admin.nav.payments', permission: 'orders.read', Icon: CardIcon },
      { href: '/admin/held-animals', key: 'admin.nav.held', permission: 'orders.read', Icon: HoldIcon },
      { href: '/admin/bookings', key: 'admin.nav.bookings', permission: 'bookings.read', Icon: MoonIcon },
      { href: '/admin/customers', key: 'admin.nav.customers', permission: 'customers.read', Icon: PeopleIcon },
      { href: '/admin/sms', key: 'admin.nav.sms', permission: 'sms.read', Icon: MessageIcon },
    ],
  },
  {
    key: 'admin.group.shop',
    items: [
      { href: '/admin/products', key: 'admin.nav.products', permission: 'catalog.read', Icon: TagIcon },
      { href: '/admin/categories', key: 'admin.nav.categories', permission: 'catalog.read', Icon: FolderIcon },
      { href: '/admin/coupons', key: 'admin.nav.coupons', permission: 'coupons.read', Icon: CouponIcon },
      { href: '/admin/weigh-ins', key: 'admin.nav.weighins', permission: 'weighins.read', Icon: ScaleIcon },
      { href: '/admin/rates', key: 'admin.nav.rates', permission: 'catalog.read', Icon: RateIcon },
    ],
  },
  {
    key: 'admin.group.reports',
    isFolded: true,
    items: [
      { href: '/admin/reports', key: 'admin.nav.reports', permission: 'reports.read', Icon: ChartIcon },
      { href: '/admin/stock-takes', key: 'admin.nav.stock-takes', permission: ['catalog.write', 'reports.read'], Icon: CheckIcon },
      { href: '/admin/leaderboard', key: 'admin.nav.leaderboard', permission: 'leaderboard.read', Icon: TrophyIcon },
      { href: '/admin/audit', key: 'admin.nav.audit', permission: 'audit.read', Icon: LogIcon },
    ],
  },
  {
    key: 'admin.group.content',
    isFolded: true,
    items: [
      { href: '/admin/slots', key: 'admin.nav.slots', permission: 'catalog.read', Icon: RowsIcon, hiddenFor: FLOOR_ROLES },
      { href: '/admin/popups', key: 'admin.nav.popups', permission: 'catalog.read', Icon: PopupIcon, hiddenFor: FLOOR_ROLES },
      { href: '/admin/reviews', key: 'admin.nav.reviews', permission: 'catalog.read', Icon: MessageIcon, hiddenFor: FLOOR_ROLES },
      { href: '/admin/texts', key: 'admin.nav.texts', permission: 'catalog.read', Icon: TextIcon, hiddenFor: FLOOR_ROLES },
    ],
  },
  {
    key: 'admin.group.setup',
    isFolded: true,
    items: [
      { href: '/admin/areas', key: 'admin.nav.areas', permission: 'catalog.read', Icon: MapIcon, hiddenFor: FLOOR_ROLES },
      { href: '/admin/area-requests', key: 'admin.nav.area-requests', permission: 'bookings.read', Icon: MapIcon },
      { href: '/admin/staff', key: 'admin.nav.staff', permission: 'staff.read', Icon: StaffIcon },
      { href: '/admin/backups', key: 'admin.nav.backups', permission: 'backups.read', Icon: ArchiveIcon },
      { href: '/admin/setup', key: 'admin.nav.setup', permission: 'settings.read', Icon: ShopIcon },
      { href: '/admin/health', key: 'admin.nav.health', permission: 'settings.read', Icon: CheckIcon },
      { href: '/admin/settings', key: 'admin.nav.settings', permission: 'settings.read', Icon: GearIcon },
    ],
  },
]

/** The areas that a role may enter, group by group. */
export function navFor(role: Role): NavGroup[] {
  return GROUPS.map((group) => ({
    ...group,
    items: group.items.filter((item) => can(role, item.permission) && !item.hiddenFor?.includes(role)),
  })).filter(({ items }) => items.length > 0)
}

/** The area of a URL: the longest prefix wins. */
export function currentArea(groups: NavGroup[], path: string): NavItem | null {
  const here = path.split('?')[0] ?? ''
  const inside = groups
    .flatMap(({ items }) => items)
    .filter(({ href }) => here === href || (href !== '/admin' && here.startsWith(`${href}/`)))
  return inside.sort((a, b) => b.href.length - a.href.length)[0] ?? null
}
