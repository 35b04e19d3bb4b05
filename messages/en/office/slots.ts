import { formatNumber } from '#lib/numbers.ts'

// The shelves of the home page.
export const slots = {
  'slots.about': 'The shelves of the home page, from the top. A shelf without anything that shoppers can see is left out.',
  'slots.add': 'Add a slot',
  'slots.new': 'New slot',
  'slots.empty': 'No slots yet. The home page has no shelves until one stands here.',
  'slots.off': 'Not shown',
  'slots.count': (p: { count: number }) => (p.count === 1 ? '1 product' : `${formatNumber(p.count, 'en')} products`),
  'slots.names': 'Name',
  'slots.active': 'On the home page',
  'slots.active-hint': 'Without the tick the shelf is kept here, and not shown.',
  'slots.products': 'On this shelf',
  'slots.products-hint': 'In this order, at most 60.',
  'slots.add-product': 'Add a product',
  'slots.no-products': 'Nothing on this shelf yet. Search for a product above.',
  'slots.too-many': 'At most 60 products stand on one shelf.',
  'slots.twice': 'A product stands on a shelf once.',
  'slots.unknown-product': 'One of the products is no longer there. Load the page again.',
  'slots.delete-question': (p: { name: string }) => `Delete the slot ${p.name}?`,
  'slots.delete-text': 'The shelf goes; its products stay in the shop.',
}
