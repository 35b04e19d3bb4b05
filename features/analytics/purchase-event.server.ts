import { normalizePhone, phoneForGateway } from '#lib/format/phone.ts'
import { sha256Hex } from '#lib/ids/ids.server.ts'

/** An order whose purchase is reported, with the identification of its browser. Sums are in poisha, quantities in thousandths. */
export interface PurchasedOrder {
  order_id: number
  customer_id: number
  placed_at: Date
  total_poisha: number
  /** 01XXXXXXXXX, or another phone as it was typed. */
  phone: string
  email: string
  name: string
  lines: { product_id: number; quantity_milli: number; total_poisha: number }[]
  browser_id: string | null
  click_id: string | null
  ip: string | null
  user_agent: string | null
}

/** The id that Meta Pixel sends for the same order (site/analytics/page-events.ts), so that Meta counts the purchase once. */
export const purchaseEventId = (orderId: number): string => `order-${orderId}`

/**
 * The event of a purchase for Meta's Conversions API. Personal fields are normalized and hashed with SHA-256 as Meta asks; address, network
 * and cookies of the browser are sent as they are. Source: developers.facebook.com, Conversions API, parameters.
 */
export function purchaseEvent(order: PurchasedOrder, publicUrl: string): object {
  const phone = normalizePhone(order.phone)
  const [firstName = '', ...rest] = order.name.toLowerCase().trim().split(/\s+/)
  return {
    event_name: 'Purchase',
    event_time: Math.floor(order.placed_at.getTime() / 1000),
    event_id: purchaseEventId(order.order_id),
    action_source: 'website',
    // Without the key of the link, which would open the order.
    event_source_url: `${publicUrl}/order/confirmed/${order.order_id}`,
    user_data: {
      ...hashed('ph', phone === null ? '' : phoneForGateway(phone)),
      ...hashed('em', order.email.trim().toLowerCase()),
      ...hashed('fn', firstName),
      ...hashed('ln', rest.join(' ')),
      ...hashed('country', 'bd'),
      ...hashed('external_id', String(order.customer_id)),
      ...(order.browser_id === null ? {} : { fbp: order.browser_id }),
      ...(order.click_id === null ? {} : { fbc: order.click_id }),
      ...(order.ip === null ? {} : { client_ip_address: order.ip }),
      ...(order.user_agent === null ? {} : { client_user_agent: order.user_agent }),
    },
    custom_data: {
      currency: 'BDT',
      value: order.total_poisha / 100,
      order_id: String(order.order_id),
      content_type: 'product',
      content_ids: order.lines.map(({ product_id }) => String(product_id)),
      // Meta takes whole pieces only, so a line of 2.5 kg is one piece at the price of the line.
      contents: order.lines.map(({ product_id, quantity_milli, total_poisha }) => {
        const pieces = quantity_milli % 1000 === 0 ? quantity_milli / 1000 : 1
        return { id: String(product_id), quantity: pieces, item_price: Math.round(total_poisha / pieces) / 100 }
      }),
    },
  }
}

function hashed(field: string, text: string): Record<string, [string]> {
  return text === '' ? {} : { [field]: [sha256Hex(text)] }
}
