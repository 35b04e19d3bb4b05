import type { ComponentType, SVGProps } from 'react'
import { can, type Right } from '#features/auth/rights.ts'
import type { Role } from '#features/auth/sessions.server.ts'
import type { MessageKey } from '#lib/i18n.ts'
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
}

/** The signed-in person's own account: password, two-step verification, devices. */
export const ACCOUNT = '/account/security'

interface NavGroup {
  key: MessageKey | null
  items: NavItem[]
}

/** The areas of the office in the order of the rail. An area stands here once its first page does. */
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
      { href: '/admin/leaderboard', key: 'office.nav.leaderboard', right: 'leaderboard.read', Icon: TrophyIcon },
      { href: '/admin/sms', key: 'office.nav.sms', right: 'sms.read', Icon: MessageIcon },
    ],
  },
  {
    key: 'office.group.shop',
    items: [
      { href: '/admin/products', key: 'office.nav.products', right: 'catalog.read', Icon: TagIcon },
      { href: '/admin/categories', key: 'office.nav.categories', right: 'catalog.read', Icon: FolderIcon },
      { href: '/admin/slots', key: 'office.nav.slots', right: 'catalog.read', Icon: RowsIcon },
      { href: '/admin/popups', key: 'office.nav.popups', right: 'catalog.read', Icon: PopupIcon },
      { href: '/admin/coupons', key: 'office.nav.coupons', right: 'catalog.read', Icon: CouponIcon },
      { href: '/admin/areas', key: 'office.nav.areas', right: 'catalog.read', Icon: MapIcon },
      { href: '/admin/texts', key: 'office.nav.texts', right: 'catalog.read', Icon: TextIcon },
    ],
  },
  {
    key: 'office.group.farm',
    items: [
      { href: '/admin/weigh-ins', key: 'office.nav.weighins', right: 'weighins.read', Icon: ScaleIcon },
      { href: '/admin/rates', key: 'office.nav.rates', right: 'catalog.read', Icon: RateIcon },
      { href: '/admin/reports', key: 'office.nav.reports', right: 'reports.read', Icon: ChartIcon },
      { href: '/admin/audit', key: 'office.nav.audit', right: 'audit.read', Icon: LogIcon },
      { href: '/admin/staff', key: 'office.nav.staff', right: 'staff.read', Icon: StaffIcon },
      { href: '/admin/settings', key: 'office.nav.settings', right: 'settings.read', Icon: GearIcon },
    ],
  },
]

/** The areas that a role may enter, group by group. */
export function navFor(role: Role): NavGroup[] {
  return GROUPS.map(({ key, items }) => ({ key, items: items.filter((item) => can(role, item.right)) })).filter(
    ({ items }) => items.length > 0,
  )
}

/** The area that an address lies in: the longest beginning wins. */
export function currentArea(groups: NavGroup[], path: string): NavItem | null {
  const here = path.split('?')[0] ?? ''
  const inside = groups
    .flatMap(({ items }) => items)
    .filter(({ href }) => here === href || (href !== '/admin' && here.startsWith(`${href}/`)))
  return inside.sort((a, b) => b.href.length - a.href.length)[0] ?? null
}
