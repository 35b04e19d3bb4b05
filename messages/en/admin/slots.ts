import { formatNumber } from '#lib/format/numbers.ts'

// The sections of the home page.
export const slots = {
  'slots.about': 'Sections of the home page, from top to bottom. A section with nothing to show is left out.',
  'slots.add': 'Add section',
  'slots.new': 'New section',
  'slots.empty': 'No sections yet. Add one to show products on the home page.',
  'slots.off': 'Hidden',
  'slots.count': (p: { count: number }) => (p.count === 1 ? '1 product' : `${formatNumber(p.count, 'en')} products`),
  'slots.left-out': (p: { count: number }) => `Home page full: ${formatNumber(p.count, 'en')} not shown`,
  'slots.names': 'Name',
  'slots.active': 'Show on home page',
  'slots.active-hint': 'A hidden section is kept here.',
  'slots.products': 'Products',
  'slots.products-hint': 'In this order, up to 60.',
  'slots.add-product': 'Add a product',
  'slots.no-products': 'No products yet. Search above to add one.',
  'slots.too-many': 'Choose up to 60 products.',
  'slots.twice': 'A product can be chosen only once.',
  'slots.unknown-product': 'A product no longer exists. Reload the page.',
  'slots.delete-question': (p: { name: string }) => `Delete the section ${p.name}?`,
  'slots.delete-text': 'The section is removed; its products stay in the shop.',
}
