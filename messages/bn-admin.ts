// Every Bengali text of the admin, with the shop's; importing this module makes them known.
import { registerMessages, type TranslationOf } from '#lib/i18n/translate.ts'
import './bn.ts'
import { areaRequests } from './bn/admin/area-requests.ts'
import { areas } from './bn/admin/areas.ts'
import { audit } from './bn/admin/audit.ts'
import { backups } from './bn/admin/backups.ts'
import { bookings } from './bn/admin/bookings.ts'
import { campaigns } from './bn/admin/campaigns.ts'
import { bulkOrders } from './bn/admin/bulk-orders.ts'
import { categories } from './bn/admin/categories.ts'
import { coupons } from './bn/admin/coupons.ts'
import { deliverySheet } from './bn/admin/delivery-sheet.ts'
import { devices } from './bn/admin/devices.ts'
import { door } from './bn/admin/door.ts'
import { frame } from './bn/admin/frame.ts'
import { leaderboard } from './bn/admin/leaderboard.ts'
import { lock } from './bn/admin/lock.ts'
import { labels } from './bn/admin/labels.ts'
import { news } from './bn/admin/news.ts'
import { popups } from './bn/admin/popups.ts'
import { pos } from './bn/admin/pos.ts'
import { posAccount } from './bn/admin/pos-account.ts'
import { posCredit } from './bn/admin/pos-credit.ts'
import { posExchange } from './bn/admin/pos-exchange.ts'
import { posContent } from './bn/admin/pos-content.ts'
import { posRegisters } from './bn/admin/pos-registers.ts'
import { posDayFile } from './bn/admin/pos-day-file.ts'
import { posReports } from './bn/admin/pos-reports.ts'
import { people } from './bn/admin/people.ts'
import { rates } from './bn/admin/rates.ts'
import { reports } from './bn/admin/reports.ts'
import { returns } from './bn/admin/returns.ts'
import { reviews } from './bn/admin/reviews.ts'
import { permissions } from './bn/admin/permissions.ts'
import { settings } from './bn/admin/settings.ts'
import { setup } from './bn/admin/setup.ts'
import { moving } from './bn/admin/moving.ts'
import { products } from './bn/admin/products.ts'
import { orderEmails } from './bn/admin/order-emails.ts'
import { orderForm } from './bn/admin/order-form.ts'
import { orderTags } from './bn/admin/order-tags.ts'
import { orders } from './bn/admin/orders.ts'
import { money } from './bn/admin/money.ts'
import { payments } from './bn/admin/payments.ts'
import { slots } from './bn/admin/slots.ts'
import { smsLog } from './bn/admin/sms-log.ts'
import { stockTakes } from './bn/admin/stock-takes.ts'
import { texts } from './bn/admin/texts.ts'
import { uploads } from './bn/admin/uploads.ts'
import { weighIns } from './bn/admin/weigh-ins.ts'
import type { adminEn } from './en-admin.ts'

// One a line: several people add to it.
export const adminBn: TranslationOf<typeof adminEn> = {
  ...areas,
  ...audit,
  ...backups,
  ...bookings,
  ...areaRequests,
  ...categories,
  ...coupons,
  ...deliverySheet,
  ...devices,
  ...door,
  ...frame,
  ...moving,
  ...leaderboard,
  ...lock,
  ...people,
  ...orderEmails,
  ...orderForm,
  ...orders,
  ...orderTags,
  ...money,
  ...bulkOrders,
  ...campaigns,
  ...payments,
  ...labels,
  ...news,
  ...popups,
  ...rates,
  ...pos,
  ...posAccount,
  ...posCredit,
  ...posContent,
  ...posRegisters,
  ...posDayFile,
  ...posReports,
  ...posExchange,
  ...reports,
  ...returns,
  ...reviews,
  ...products,
  ...permissions,
  ...settings,
  ...setup,
  ...slots,
  ...stockTakes,
  ...texts,
  ...uploads,
  ...weighIns,
  ...smsLog,
}

registerMessages('bn', adminBn)
