export const kurbani = {
  'kurbani.checking': 'Checking available products...',
  'kurbani.price': 'Price',
  'kurbani.price-from': 'Minimum price',
  'kurbani.price-to': 'Maximum price',
  'kurbani.price-from-taka': 'Minimum price in taka',
  'kurbani.price-to-taka': 'Maximum price in taka',
  'kurbani.show': 'Apply',
  'kurbani.status': 'Status',
  'kurbani.status-all': 'All',
  'kurbani.notice': 'Before you book',
  'kurbani.notice-close': 'Close this notice',
}
