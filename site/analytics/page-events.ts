// What a page tells the measuring services, read from the document: the shop's own scripts do not know of them.
import { CART_KEY, type CartItem, quantityMilli } from '#features/cart/rules.ts'
import { parseCart } from '#features/cart/stored-rules.ts'
import { quantityPrice } from '#features/catalog/shown-price-rules.ts'
import { type Poisha, poishaToTaka } from '#lib/format/money.ts'
import { DAY_MS } from '#lib/format/time.ts'

/** An event by Meta's name, with its GA4 name. `id` is the same for repeated reports of one event. */
export interface PageEvent {
  meta: 'ViewContent' | 'AddToCart' | 'InitiateCheckout' | 'Purchase'
  ga4: 'view_item' | 'add_to_cart' | 'begin_checkout' | 'purchase'
  id: string
  productIds: string[]
  value: number
}

/** Also in the server's report of the purchase (features/analytics/purchase-event.server.ts), so that Meta counts it once. */
export const ORDER_ID_PREFIX = 'order-'

/** As long as the server reports a purchase. An older order is one that is looked at again. */
const MAX_PURCHASE_AGE_MS = DAY_MS

/** The event of opening this page; null for a page without one. */
export function openingEvent(page: string, doc: Document, storage: Storage): PageEvent | null {
  if (page === 'store/product/product') return viewEvent(doc)
  if (page === 'store/checkout/checkout') return checkoutEvent(storage)
  return page === 'store/order/confirmed' ? purchaseEvent(doc) : null
}

/** The event of a product that was put into the cart; null when the cart does not have it. */
export function addEvent(productId: number, storage: Storage): PageEvent | null {
  const item = cartItems(storage).find((one) => one.productId === productId)
  if (!item) return null
  return {
    meta: 'AddToCart',
    ga4: 'add_to_cart',
    id: `cart-${crypto.randomUUID()}`,
    productIds: [String(productId)],
    value: valueOf([item]),
  }
}

function viewEvent(doc: Document): PageEvent | null {
  const id = /\/product\/(\d+)/.exec(doc.location.pathname)?.[1]
  const price = Number(doc.querySelector('meta[property="product:price:amount"]')?.getAttribute('content'))
  return id ? { meta: 'ViewContent', ga4: 'view_item', id: `view-${crypto.randomUUID()}`, productIds: [id], value: price || 0 } : null
}

function checkoutEvent(storage: Storage): PageEvent | null {
  const items = cartItems(storage)
  if (items.length === 0) return null
  const productIds = items.map(({ productId }) => String(productId))
  return { meta: 'InitiateCheckout', ga4: 'begin_checkout', id: `checkout-${crypto.randomUUID()}`, productIds, value: valueOf(items) }
}

/** The order of the page's props, of the last day. Its number makes the id, so that a reloaded page and the server report one purchase. */
function purchaseEvent(doc: Document): PageEvent | null {
  const json = doc.querySelector('#app')?.getAttribute('data-props')
  const order = json
    ? (JSON.parse(json) as { props?: { order?: { id: number; total: number; placed_at: string; lines: { product_id: number }[] } } }).props
        ?.order
    : undefined
  if (!order || Date.now() - Date.parse(order.placed_at) > MAX_PURCHASE_AGE_MS) return null
  const productIds = order.lines.map(({ product_id }) => String(product_id))
  return { meta: 'Purchase', ga4: 'purchase', id: `${ORDER_ID_PREFIX}${order.id}`, productIds, value: order.total }
}

/** The cart of this browser; any other content is an empty one. */
const cartItems = (storage: Storage) => parseCart(storage.getItem(CART_KEY))

/** What the cart charges for items, in taka: after product discounts, as `ViewContent` and `Purchase` count them. */
function valueOf(items: readonly CartItem[]): number {
  const sum = items.reduce((total, item) => {
    const { basePrice: price, discount, discount_type } = item
    return total + quantityPrice({ price, discount, discount_type }, quantityMilli(item))
  }, 0)
  return poishaToTaka(sum as Poisha)
}
