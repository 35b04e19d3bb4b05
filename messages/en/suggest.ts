import { formatNumber } from '#lib/format/numbers.ts'

export const suggest = {
  'suggest.label': 'Suggestions',
  'suggest.found': (p: { count: number }) => (p.count === 1 ? '1 suggestion' : `${formatNumber(p.count, 'en')} suggestions`),
  'suggest.none': 'Nothing found. Try another spelling, a weight such as 250 kg, or a tag such as K-101.',
  'suggest.wait': 'Searching…',
  'suggest.failed': 'No connection. Press Enter to search.',
  'suggest.all': (p: { query: string }) => `All results for “${p.query}”`,
  'suggest.status.in-stock': 'In stock',
  'suggest.status.pre-book': 'Pre-order',
  'suggest.status.hold': 'On hold',
  'suggest.status.out-of-stock': 'Out of stock',
  'suggest.status.sold': 'Sold',
}
