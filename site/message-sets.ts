/**
 * Sets of storefront pages that share a file of messages. `checkout` holds the cart, `order` every page that has no set of its own, `account`
 * also the pages that few visit: the invoice has no bytes left for their texts.
 */
export const MESSAGE_SETS = ['lists', 'kurbani', 'product', 'checkout', 'account', 'order'] as const
export type MessageSet = (typeof MESSAGE_SETS)[number]

const SETS: Record<string, MessageSet> = {
  'home/home': 'lists',
  'listing/beef': 'lists',
  'listing/category': 'lists',
  'listing/search': 'lists',
  'about/about': 'lists',
  'about/contact': 'lists',
  'policy/policy': 'lists',
  'kurbani/kurbani': 'kurbani',
  'kurbani/kurbani-booking': 'kurbani',
  'product/product': 'product',
  'product/reviews': 'lists',
  'product/product-preview': 'product',
  'compare/compare': 'product',
  'checkout/checkout': 'checkout',
  'demo/demo-sms': 'account',
  'stop/stop': 'account',
  closed: 'account',
}
const SETS_BY_ENTRY = new Map(Object.entries(SETS).map(([page, set]) => [page.replaceAll('/', '-'), set]))

/** The set of a page, named as its build entry (`store-home-home`) or as its source (`store/home/home`). */
export function messageSetOf(page: string): MessageSet {
  const entry = page.replaceAll('/', '-').replace(/^store-/, '')
  return entry.startsWith('account-') ? 'account' : (SETS_BY_ENTRY.get(entry) ?? 'order')
}
