import { type AddOutcome, addToCart, setQuantity } from '#features/cart/ui/cart-store.ts'
import type { AgainJson } from '#features/orders/history/reorder-rules.ts'

export interface Filled extends AgainJson {
  /** Names of products that were not added: the cart is full or cannot be stored. */
  notAdded: string[]
  isFull: boolean
}

/** Puts the products of an order into the cart, each in its quantity. */
export function fillCart(again: AgainJson): Filled {
  const added = again.lines.map((line) => ({ line, outcome: addToCart(line.product) }))
  const isInCart = (outcome: AddOutcome) => outcome === 'added' || outcome === 'already-in-cart'
  const lines = added.flatMap(({ line, outcome }) => (isInCart(outcome) ? [line] : []))
  for (const { product, quantity } of lines) if (!product.is_unique) setQuantity(product.id, quantity)
  const rejected = added.filter(({ outcome }) => !isInCart(outcome))
  return {
    ...again,
    lines,
    notAdded: rejected.map(({ line }) => line.product.product_type),
    isFull: rejected.some(({ outcome }) => outcome === 'cart-full'),
  }
}
