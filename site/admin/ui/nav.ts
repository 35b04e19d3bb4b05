import type { ComponentType, SVGProps } from 'react'
import { can, type Right } from '#features/auth/permissions.ts'
import type { Role } from '#features/auth/sessions.server.ts'
import type { MessageKey } from '#lib/i18n/translate.ts'
import { MoonIcon, ScaleIcon } from '#components/icons.tsx'
import {
  CardIcon,
  ChartIcon,
  CouponIcon,
  FolderIcon,
  GearIcon,
  HoldIcon,
  LogIcon,
  MapIcon,
  MessageIcon,
  OrdersIcon,
  PopupIcon,
  RateIcon,
  RowsIcon,
  SunIcon,
  TillIcon,
  TagIcon,
  TextIcon,
  PeopleIcon,
  StaffIcon,
  TrophyIcon,
  WalletIcon,
} from './icons.tsx'

export interface NavItem {
  href: string
  key: MessageKey
  right: Right | readonly Right[]
  Icon: ComponentType<SVGProps<SVGSVGElement> & { size?: number }>
  /** Roles that may open the page and have no work there: the rail leaves it out, its address still opens. */
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

/** Roles that work in the yard and at the counter. They may read the whole catalogue, and do not work on these pages. */
const FLOOR_ROLES: readonly Role[] = ['weigher', 'cashier']

/** The areas of the admin in the order of the rail. What is set up once or looked at seldom is folded up, so that the rail fits 800 px. */
const GROUPS: NavGroup[] = [
  {
    key: null,
    items: [{ href: '/admin', key: 'office.nav.dashboard', right: 'office.enter', Icon: SunIcon }],
  },
  {
    key: 'office.group.sales',
    items: [
      { href: '/admin/orders', key: 'office.nav.orders', right: 'orders.read', Icon: OrdersIcon },
      { href: '/admin/quick-orders', key: 'pos.title', right: 'pos.read', Icon: TillIcon },
      { href: '/admin/advances', key: 'office.nav.advances', right: 'orders.read', Icon: WalletIcon },
      { href: '/admin/payments', key: 'office.nav.payments', right: 'orders.read', Icon: CardIcon },
      { href: '/admin/held-animals', key: 'office.nav.held', right: 'orders.read', Icon: HoldIcon },
      { href: '/admin/bookings', key: 'office.nav.bookings', right: 'bookings.read', Icon: MoonIcon },
      { href: '/admin/customers', key: 'office.nav.customers', right: 'customers.read', Icon: PeopleIcon },
      { href: '/admin/sms', key: 'office.nav.sms', right: 'sms.read', Icon: MessageIcon },
    ],
  },
  {
    key: 'office.group.shop',
    items: [
      { href: '/admin/products', key: 'office.nav.products', right: 'catalog.read', Icon: TagIcon },
      { href: '/admin/categories', key: 'office.nav.categories', right: 'catalog.read', Icon: FolderIcon },
      { href: '/admin/coupons', key: 'office.nav.coupons', right: 'catalog.read', Icon: CouponIcon, hiddenFor: FLOOR_ROLES },
      { href: '/admin/weigh-ins', key: 'office.nav.weighins', right: 'weighins.read', Icon: ScaleIcon },
      { href: '/admin/rates', key: 'office.nav.rates', right: 'catalog.read', Icon: RateIcon },
    ],
  },
  {
    key: 'office.group.reports',
    isFolded: true,
    items: [
      { href: '/admin/reports', key: 'office.nav.reports', right: 'reports.read', Icon: ChartIcon },
      { href: '/admin/leaderboard', key: 'office.nav.leaderboard', right: 'leaderboard.read', Icon: TrophyIcon },
      { href: '/admin/audit', key: 'office.nav.audit', right: 'audit.read', Icon: LogIcon },
    ],
  },
  {
    key: 'office.group.content',
    isFolded: true,
    items: [
      { href: '/admin/slots', key: 'office.nav.slots', right: 'catalog.read', Icon: RowsIcon, hiddenFor: FLOOR_ROLES },
      { href: '/admin/popups', key: 'office.nav.popups', right: 'catalog.read', Icon: PopupIcon, hiddenFor: FLOOR_ROLES },
      { href: '/admin/texts', key: 'office.nav.texts', right: 'catalog.read', Icon: TextIcon, hiddenFor: FLOOR_ROLES },
    ],
  },
  {
    key: 'office.group.setup',
    isFolded: true,
    items: [
      { href: '/admin/areas', key: 'office.nav.areas', right: 'catalog.read', Icon: MapIcon, hiddenFor: FLOOR_ROLES },
      { href: '/admin/staff', key: 'office.nav.staff', right: 'staff.read', Icon: StaffIcon },
      { href: '/admin/settings', key: 'office.nav.settings', right: 'settings.read', Icon: GearIcon },
    ],
  },
]

/** The areas that a role may enter, group by group. */
export function navFor(role: Role): NavGroup[] {
  return GROUPS.map((group) => ({
    ...group,
    items: group.items.filter((item) => can(role, item.right) && !item.hiddenFor?.includes(role)),
  })).filter(({ items }) => items.length > 0)
}

/** The area that an address lies in: the longest beginning wins. */
export function currentArea(groups: NavGroup[], path: string): NavItem | null {
  const here = path.split('?')[0] ?? ''
  const inside = groups
    .flatMap(({ items }) => items)
    .filter(({ href }) => here === href || (href !== '/admin' && here.startsWith(`${href}/`)))
  return inside.sort((a, b) => b.href.length - a.href.length)[0] ?? null
}
