// Every English text of the back office, with the shop's; importing this module makes them known.
import { registerMessages } from '#lib/i18n.ts'
import './en.ts'
import { areas } from './en/office/areas.ts'
import { audit } from './en/office/audit.ts'
import { bookings } from './en/office/bookings.ts'
import { categories } from './en/office/categories.ts'
import { coupons } from './en/office/coupons.ts'
import { door } from './en/office/door.ts'
import { frame } from './en/office/frame.ts'
import { leaderboard } from './en/office/leaderboard.ts'
import { lock } from './en/office/lock.ts'
import { labels } from './en/office/labels.ts'
import { popups } from './en/office/popups.ts'
import { pos } from './en/office/pos.ts'
import { people } from './en/office/people.ts'
import { rates } from './en/office/rates.ts'
import { reports } from './en/office/reports.ts'
import { rights } from './en/office/rights.ts'
import { settings } from './en/office/settings.ts'
import { moving } from './en/office/moving.ts'
import { products } from './en/office/products.ts'
import { orders } from './en/office/orders.ts'
import { payments } from './en/office/payments.ts'
import { slots } from './en/office/slots.ts'
import { smsLog } from './en/office/sms-log.ts'
import { texts } from './en/office/texts.ts'
import { uploads } from './en/office/uploads.ts'
import { weighIns } from './en/office/weigh-ins.ts'

// One a line: several people add to it.
export const officeEn = {
  ...areas,
  ...audit,
  ...bookings,
  ...categories,
  ...coupons,
  ...door,
  ...frame,
  ...moving,
  ...leaderboard,
  ...lock,
  ...people,
  ...orders,
  ...payments,
  ...labels,
  ...popups,
  ...rates,
  ...pos,
  ...reports,
  ...products,
  ...rights,
  ...settings,
  ...slots,
  ...texts,
  ...uploads,
  ...weighIns,
  ...smsLog,
}

type EnglishOffice = typeof officeEn

declare module '#lib/i18n.ts' {
  interface MessageCatalogue extends EnglishOffice {}
}

registerMessages('en', officeEn)
