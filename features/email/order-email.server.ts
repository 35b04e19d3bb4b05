import { sql } from 'kysely'
import { type OrderDocument, orderDocument, withSums } from '#features/orders/printing/order-document.server.ts'
import { expectedText } from '#features/orders/expected-delivery-rules.ts'
import { invoicePaymentState, isAwaitingPayment } from '#features/orders/printing/invoice-rules.ts'
import { isLive } from '#features/orders/rules.ts'
import type { OrderJson } from '#features/orders/types.ts'
import { deliveryCouponNote, discountLabel, money, namesDelivery, orderTotals } from '#features/orders/ui/invoice-amounts.ts'
import { derivedUrl } from '#lib/files/derived-picture.ts'
import type { Settings } from '#features/settings/settings.ts'
import type { Db } from '#lib/db/db.server.ts'
import { sha256Hex } from '#lib/ids/ids.server.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { formatQuantity, localizeDigits, toMilli } from '#lib/format/numbers.ts'
import { addressInMessage, nameInMessage } from '#lib/format/shown-name.ts'
import { translate } from '#lib/i18n/translate.ts'
import type { Email } from './gateway.ts'
import { type EmailContent, emailHtml, type EmailRow, emailText } from './layout-rules.ts'
import type { ClaimedEmail } from './outbox.server.ts'

/** The email of an order as it is now, in the language it was placed in; `ended` when nothing is to be confirmed any more. */
export async function findOrderEmail(db: Db, claimed: ClaimedEmail, settings: Settings, publicUrl: string): Promise<Email | 'ended'> {
  const found = await sql<{ lang: Lang; view_key: string }>`select lang, view_key from orders where id = ${claimed.order_id}`.execute(db)
  const head = found.rows[0]
  if (!head) return 'ended'
  const { rows } = await sql<OrderDocument>`select ${orderDocument(head.lang)} from orders o where o.id = ${claimed.order_id}`.execute(db)
  const order = withSums(rows[0]!)
  if (!isLive(order.status)) return 'ended'
  const link = `${publicUrl}/invoice/${order.id}?key=${head.view_key}`
  const content = orderContent(order, { kind: claimed.kind, lang: head.lang, settings, publicUrl, link })
  return toEmail(claimed, content, settings, publicUrl)
}

/** The message of a row of the outbox. */
export function toEmail(
  claimed: Pick<ClaimedEmail, 'event_key' | 'recipient'>,
  content: EmailContent,
  settings: Settings,
  publicUrl: string,
): Email {
  return {
    messageId: sha256Hex(`${publicUrl} ${claimed.event_key}`).slice(0, 32),
    to: claimed.recipient,
    fromName: content.shopName,
    replyTo: settings.shop.email || null,
    subject: content.subject,
    text: emailText(content),
    html: emailHtml(content),
  }
}

interface OrderEmailOptions {
  kind: ClaimedEmail['kind']
  lang: Lang
  settings: Settings
  publicUrl: string
  link: string
}

function orderContent(order: OrderJson, { kind, lang, settings, publicUrl, link }: OrderEmailOptions): EmailContent {
  const t = translate(lang)
  const id = localizeDigits(lang, String(order.id))
  const event = kind === 'payment-received' ? 'payment' : 'placed'
  const shopName = settings.shop.name[lang]
  return {
    lang,
    shopName,
    logoUrl: settings.logo && publicUrl + derivedUrl(settings.logo.picture, 'logo'),
    subject: t(`email.${event}.subject`, { id, shop: shopName }),
    heading: t(`email.${event}.heading`, { id }),
    intro: [t('email.hello', { name: nameInMessage(order.name) }), t(`email.${event}.intro`)],
    items: order.lines.map((line) => itemRow(line, lang)),
    sums: sumRows(order, lang),
    details: [
      { label: t(order.is_collection ? 'invoice.collect-day' : 'invoice.list-day'), value: deliveryText(order, lang) },
      { label: t('email.payment'), value: t(`payment-state.${invoicePaymentState(order)}`) },
      {
        label: t(order.is_collection ? 'invoice.collect-at' : 'invoice.deliver-to'),
        value: [order.is_collection ? order.address : addressInMessage(order.address), order.area_name].filter(Boolean).join(', '),
      },
    ].filter(({ value }) => value !== ''),
    link: { href: link, label: t(isAwaitingPayment(order) ? 'email.link-pay' : 'email.link') },
    footer: [...(settings.shop.phone ? [t('invoice.questions', { phone: settings.shop.phone })] : []), t('email.private-link')],
  }
}

function itemRow({ name, quantity, unit, price_on_order, line_total, tag_number, note }: OrderJson['lines'][number], lang: Lang): EmailRow {
  const t = translate(lang)
  const parts = [
    `${formatQuantity(toMilli(quantity), unit, lang)} × ${money(price_on_order, lang)}`,
    tag_number ? t('invoice.tag', { tag: tag_number }) : '',
    note ?? '',
  ]
  return { label: name, note: parts.filter(Boolean).join(' · '), value: money(line_total, lang) }
}

/** The sums as the invoice has them: what is charged less what is paid is always what is due. */
function sumRows(order: OrderJson, lang: Lang): EmailRow[] {
  const t = translate(lang)
  const totals = orderTotals(order)
  return [
    { label: t('summary.subtotal'), value: money(order.subtotal, lang) },
    ...(namesDelivery(order)
      ? [{ label: t('summary.delivery'), note: deliveryCouponNote(t, lang, order.coupon) ?? '', value: money(order.shipping_cost, lang) }]
      : []),
    ...(order.discount > 0 ? [{ label: discountLabel(t, order.coupon), value: money(-order.discount, lang) }] : []),
    ...(totals.asOrdered === null ? [] : [{ label: t('email.adjustments'), value: money(totals.charged - totals.asOrdered, lang) }]),
    { label: t('summary.total'), value: money(totals.charged, lang), isStrong: true },
    { label: t('invoice.paid'), value: money(order.paid, lang) },
    totals.amount === 0
      ? { label: t('invoice.nothing-due'), value: money(0, lang), isStrong: true }
      : { label: t(`invoice.balance.${totals.state}`), value: money(totals.amount, lang), isStrong: true },
  ]
}

/** The expected delivery, as on the invoice; empty for an order that has arrived. */
function deliveryText(order: OrderJson, lang: Lang): string {
  return expectedText(order, lang) ?? (isAwaitingPayment(order) ? translate(lang)('email.after-payment') : '')
}
