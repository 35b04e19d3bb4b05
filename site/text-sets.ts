/** Pages of the shop that share one file of texts. `checkout` holds the cart, `order` every page that has no set of its own. */
export const TEXT_SETS = ['lists', 'kurbani', 'product', 'checkout', 'account', 'order'] as const
export type TextSet = (typeof TEXT_SETS)[number]

const SETS: Record<string, TextSet> = {
  home: 'lists',
  beef: 'lists',
  fruits: 'lists',
  search: 'lists',
  policy: 'lists',
  kurbani: 'kurbani',
  'kurbani-booking': 'kurbani',
  product: 'product',
  'product-preview': 'product',
  cart: 'checkout',
}

/** The set of a page, named as the build does (`store-home`) or as the sources do (`store/home`). */
export function textSetOf(page: string): TextSet {
  const name = page.replace(/^store[-/]/, '')
  return /^account[-/]/.test(name) ? 'account' : (SETS[name] ?? 'order')
}
