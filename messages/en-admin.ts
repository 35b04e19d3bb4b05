// Every English text of the admin, with the shop's; importing this module makes them known.
import { registerMessages } from '#lib/i18n/translate.ts'
import './en.ts'
import { areaRequests } from './en/admin/area-requests.ts'
import { areas } from './en/admin/areas.ts'
import { audit } from './en/admin/audit.ts'
import { backups } from './en/admin/backups.ts'
import { bookings } from './en/admin/bookings.ts'
import { campaigns } from './en/admin/campaigns.ts'
import { bulkOrders } from './en/admin/bulk-orders.ts'
import { categories } from './en/admin/categories.ts'
import { coupons } from './en/admin/coupons.ts'
import { deliverySheet } from './en/admin/delivery-sheet.ts'
import { devices } from './en/admin/devices.ts'
import { door } from './en/admin/door.ts'
import { frame } from './en/admin/frame.ts'
import { leaderboard } from './en/admin/leaderboard.ts'
import { lock } from './en/admin/lock.ts'
import { labels } from './en/admin/labels.ts'
import { news } from './en/admin/news.ts'
import { popups } from './en/admin/popups.ts'
import { pos } from './en/admin/pos.ts'
import { posAccount } from './en/admin/pos-account.ts'
import { posCredit } from './en/admin/pos-credit.ts'
import { posExchange } from './en/admin/pos-exchange.ts'
import { posContent } from './en/admin/pos-content.ts'
import { posRegisters } from './en/admin/pos-registers.ts'
import { posDayFile } from './en/admin/pos-day-file.ts'
import { posReports } from './en/admin/pos-reports.ts'
import { people } from './en/admin/people.ts'
import { rates } from './en/admin/rates.ts'
import { reports } from './en/admin/reports.ts'
import { returns } from './en/admin/returns.ts'
import { reviews } from './en/admin/reviews.ts'
import { permissions } from './en/admin/permissions.ts'
import { settings } from './en/admin/settings.ts'
import { setup } from './en/admin/setup.ts'
import { moving } from './en/admin/moving.ts'
import { products } from './en/admin/products.ts'
import { orderEmails } from './en/admin/order-emails.ts'
import { orderForm } from './en/admin/order-form.ts'
import { orderTags } from './en/admin/order-tags.ts'
import { orders } from './en/admin/orders.ts'
import { money } from './en/admin/money.ts'
import { payments } from './en/admin/payments.ts'
import { slots } from './en/admin/slots.ts'
import { smsLog } from './en/admin/sms-log.ts'
import { stockTakes } from './en/admin/stock-takes.ts'
import { texts } from './en/admin/texts.ts'
import { uploads } from './en/admin/uploads.ts'
import { weighIns } from './en/admin/weigh-ins.ts'

// One a line: several people add to it.
export const adminEn = {
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

type EnglishAdmin = typeof adminEn

declare module '#lib/i18n/translate.ts' {
  interface MessageCatalog extends EnglishAdmin {}
}

registerMessages('en', adminEn)
