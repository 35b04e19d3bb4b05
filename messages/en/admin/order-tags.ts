import { plural } from '#lib/format/plural.ts'

export const orderTags = {
  'admin-orders.tags': 'Tags',
  'admin-orders.tag': 'Tag',
  'admin-orders.tags-none': 'No tags.',
  'admin-orders.tag-add': 'Add tag',
  'admin-orders.tag-remove': (p: { tag: string }) => `Remove the tag ${p.tag}`,
  'admin-orders.tag-is': (p: { tag: string }) => `Tag: ${p.tag}`,
  'admin-orders.tags-full': (p: { max: string }) => `An order has at most ${p.max} tags. Remove one first.`,
  'admin-orders.tags-full-orders': (p: { max: string; orders: string }) =>
    `At most ${p.max} tags an order. Not changed: ${p.orders}. The others are saved.`,
  'admin-orders.tags-of': (p: { count: string }) => `Tags of ${plural(p.count, 'order')}`,
  'admin-orders.tags-add': 'Add',
  'admin-orders.tags-remove': 'Remove',
  'admin-orders.tag-long': 'A tag has at most 30 characters.',
  'admin-orders.tags-many': 'Too many tags at once.',
  'admin-orders.event.tags': 'Tags changed',
}
