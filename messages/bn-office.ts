// Every Bengali text of the back office, with the shop's; importing this module makes them known.
import { registerMessages } from '#lib/i18n.ts'
import type { TranslationOf } from '#lib/i18n.ts'
import './bn.ts'
import { areas } from './bn/office/areas.ts'
import { audit } from './bn/office/audit.ts'
import { bookings } from './bn/office/bookings.ts'
import { categories } from './bn/office/categories.ts'
import { coupons } from './bn/office/coupons.ts'
import { door } from './bn/office/door.ts'
import { frame } from './bn/office/frame.ts'
import { leaderboard } from './bn/office/leaderboard.ts'
import { lock } from './bn/office/lock.ts'
import { labels } from './bn/office/labels.ts'
import { popups } from './bn/office/popups.ts'
import { pos } from './bn/office/pos.ts'
import { people } from './bn/office/people.ts'
import { rates } from './bn/office/rates.ts'
import { reports } from './bn/office/reports.ts'
import { rights } from './bn/office/rights.ts'
import { settings } from './bn/office/settings.ts'
import { moving } from './bn/office/moving.ts'
import { products } from './bn/office/products.ts'
import { orders } from './bn/office/orders.ts'
import { payments } from './bn/office/payments.ts'
import { slots } from './bn/office/slots.ts'
import { smsLog } from './bn/office/sms-log.ts'
import { texts } from './bn/office/texts.ts'
import { uploads } from './bn/office/uploads.ts'
import { weighIns } from './bn/office/weigh-ins.ts'
import type { officeEn } from './en-office.ts'

// One a line: several people add to it.
export const officeBn: TranslationOf<typeof officeEn> = {
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

registerMessages('bn', officeBn)
