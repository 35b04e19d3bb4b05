// What a page tells the measuring services, read from the document: the shop's own scripts do not know of them.
import { CART_KEY } from '#features/cart/rules.ts'

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

interface StoredItem {
  productId: number
  productPrice: number
}

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
    value: item.productPrice,
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
  const value = items.reduce((sum, { productPrice }) => sum + productPrice, 0)
  const productIds = items.map(({ productId }) => String(productId))
  return { meta: 'InitiateCheckout', ga4: 'begin_checkout', id: `checkout-${crypto.randomUUID()}`, productIds, value }
}

/** The order of the page's props. Its number makes the id, so that a reloaded page and the server report one purchase. */
function purchaseEvent(doc: Document): PageEvent | null {
  const json = doc.querySelector('#app')?.getAttribute('data-props')
  const order = json
    ? (JSON.parse(json) as { props?: { order?: { id: number; total: number; lines: { product_id: number }[] } } }).props?.order
    : undefined
  if (!order) return null
  const productIds = order.lines.map(({ product_id }) => String(product_id))
  return { meta: 'Purchase', ga4: 'purchase', id: `${ORDER_ID_PREFIX}${order.id}`, productIds, value: order.total }
}

/** The cart of this browser; any other content is an empty one. */
function cartItems(storage: Storage): StoredItem[] {
  try {
    const stored: unknown = JSON.parse(storage.getItem(CART_KEY) ?? '[]')
    return Array.isArray(stored) ? (stored as StoredItem[]).filter((item) => Number.isFinite(item?.productPrice)) : []
  } catch {
    return []
  }
}
