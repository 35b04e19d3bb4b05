export const kurbani = {
  'kurbani.checking': 'Checking available products...',
  'kurbani.price': 'Price',
  'kurbani.price-from': 'Lowest price',
  'kurbani.price-to': 'Highest price',
  'kurbani.price-from-taka': 'Lowest price in taka',
  'kurbani.price-to-taka': 'Highest price in taka',
  'kurbani.show': 'Show',
  'kurbani.status': 'Status',
  'kurbani.status-all': 'All',
  'kurbani.notice': 'Before you book',
  'kurbani.notice-close': 'Close this notice',
}
