import { type Cart, quantityMilli, withQuantity } from '#features/cart/rules.ts'
import { type AddOutcome, addToCart, changeCart, setQuantity } from '#features/cart/ui/cart-store.ts'
import type { AgainJson } from '#features/orders/history/reorder-rules.ts'
import { MAX_QUANTITY_MILLI } from '#features/catalog/quantity-rules.ts'
import { toMilli } from '#lib/format/numbers.ts'

export interface Filled extends AgainJson {
  /** Names of products that were not added: the cart is full or cannot be stored. */
  notAdded: string[]
  isFull: boolean
}

/** Puts the products of an order into the cart, each in its quantity; with `adds`, on top of what the cart has of it. */
export function fillCart(again: AgainJson, { adds = false } = {}): Filled {
  const added = again.lines.map((line) => ({ line, outcome: addToCart(line.product) }))
  const isInCart = (outcome: AddOutcome) => outcome === 'added' || outcome === 'already-in-cart'
  const lines = added.flatMap(({ line, outcome }) => (isInCart(outcome) ? [line] : []))
  for (const { line, outcome } of added) {
    const { product, quantity } = line
    if (product.is_unique) continue
    if (adds && outcome === 'already-in-cart') changeCart((cart) => withMore(cart, line))
    else if (isInCart(outcome)) setQuantity(product.id, quantity)
  }
  const rejected = added.filter(({ outcome }) => !isInCart(outcome))
  return {
    ...again,
    lines,
    notAdded: rejected.map(({ line }) => line.product.product_type),
    isFull: rejected.some(({ outcome }) => outcome === 'cart-full'),
  }
}

/** Of a product with less in stock than was ordered, no more than that. A quantity that cannot be ordered changes nothing. */
function withMore(cart: Cart, { product, quantity, less }: AgainJson['lines'][number]): Cart {
  return cart.map((item) => {
    if (item.productId !== product.id) return item
    const now = quantityMilli(item)
    const milli = less ? Math.max(now, toMilli(quantity)) : now + toMilli(quantity)
    return milli > MAX_QUANTITY_MILLI ? item : withQuantity(item, milli)
  })
}
