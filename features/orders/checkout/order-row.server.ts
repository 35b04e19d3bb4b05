import type { SoldProductRow } from '#features/catalog/product-rows.server.ts'
import { orderSmsLang } from '#features/messaging/order-sms.server.ts'
import type { Quote } from '#features/pricing/quote-rules.ts'
import { collectionAddress } from '#features/settings/collection-rules.ts'
import type { Settings } from '#features/settings/settings.ts'
import { fillSms, smsDelivery } from '#features/settings/sms/text-rules.ts'
import { randomToken, ulid } from '#lib/ids/ids.server.ts'
import type { NewOrderRow } from '../batching/insert-orders.server.ts'
import { newLineRow } from '../line-rows.server.ts'
import { expiresAt, type Waiting } from '#features/payments/deadline-rules.ts'
import { dayCapacity } from '../delivery-calendar.server.ts'
import { holdKeys } from './hold-limit.server.ts'
import type { couponUse } from './order-coupon.server.ts'
import type { OrderInput } from './place-order.server.ts'

interface PricedOrder {
  quote: Quote
  rows: Map<number, SoldProductRow>
  coupon: ReturnType<typeof couponUse>
  placedAt: Date
  listOn: string
}

/** The row of a shopper's order for SQL `insert_orders`, with its lines, SMS, payment attempt and hold limits. */
export function toOrderRow(
  input: OrderInput,
  { quote, rows, coupon, placedAt, listOn }: PricedOrder,
  settings: Settings,
  { publicUrl, env }: { publicUrl: string; env: { rateLimit: boolean; sessionSecret: string } },
): NewOrderRow {
  const { customer } = input
  const waiting = waitingFor(input, quote)
  const gateway = quote.isFree ? 'NONE' : input.gateway
  const hasAnimal = [...rows.values()].some((row) => row.is_unique)
  return {
    source: input.source,
    customer_id: input.userId,
    name: customer.name,
    phone: customer.phone,
    email: customer.email,
    alternate_phone: customer.alternatePhone,
    address: input.isCollection ? collectionAddress(settings, input.lang) : customer.address,
    landmark: input.isCollection ? '' : customer.landmark,
    note: customer.note,
    area_id: input.isCollection ? null : input.areaId,
    is_collection: input.isCollection,
    lang: input.lang,
    subtotal_poisha: quote.subtotal,
    shipping_poisha: quote.delivery,
    discount_poisha: quote.discount,
    total_poisha: quote.total,
    payment_type: input.paymentType,
    payment_gateway: gateway,
    payable_poisha: quote.payable,
    is_free_order: quote.isFree,
    list_on: listOn,
    deliveries: quote.deliveries,
    placed_at: placedAt,
    expires_at: waiting && expiresAt(placedAt, waiting, settings.expiry),
    phone_verified: input.isPhoneVerified,
    access_token_hash: input.browserHash,
    view_key: input.viewKey,
    tracking_code: randomToken(16),
    idempotency_key: input.idempotencyKey,
    request_hash: input.requestHash,
    tran_id: gateway === 'NONE' ? null : ulid(placedAt),
    sms_body: smsBody(input, quote, settings, { publicUrl, dates: waiting ? null : deliveryDates(quote, listOn) }),
    holds: hasAnimal ? holdKeys(input.holder, input.isPhoneVerified, settings.holds, env) : null,
    lines: quote.lines.map((line, index) => {
      const product = rows.get(line.productId) as SoldProductRow
      return { ...newLineRow(index + 1, { ...line, price: line.unitPrice }, product), version: product.version }
    }),
    coupon,
    ...dayCapacity(quote, rows, settings),
  }
}

/** The payment that the order waits for; null for free orders and cash on delivery. */
function waitingFor({ gateway, paymentType, isPhoneVerified }: OrderInput, quote: Quote): Waiting | null {
  if (quote.isFree) return null
  if (gateway !== 'NONE' && quote.payable > 0) return 'gateway'
  if (paymentType !== 'partial') return null
  return isPhoneVerified ? 'verified-phone' : 'unreported'
}

function deliveryDates({ deliveries, split, deliverOn }: Quote, listOn: string): string[] {
  return deliveries === 2 && split ? split.dates : [deliverOn ?? listOn]
}

/** The SMS of a placed order. SQL replaces {order} with the id of the new order. `dates`: null while the order waits for its payment. */
function smsBody(
  { customer, lang, viewKey }: OrderInput,
  quote: Quote,
  settings: Settings,
  { publicUrl, dates }: { publicUrl: string; dates: string[] | null },
): string {
  const smsLang = orderSmsLang(lang, settings)
  const link = `${publicUrl}/invoice/{order}?key=${viewKey}`
  const day = smsDelivery(dates, smsLang, quote.isCollection ? 'collection' : 'delivery')
  const values = { name: customer.name, total: quote.total, due: quote.total, link, phone: settings.shop.phone, day, order: '{order}' }
  return fillSms(settings.messages.orderPlaced[smsLang], values, smsLang)
}
