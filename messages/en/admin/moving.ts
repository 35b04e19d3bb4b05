// Lists that are put in order by hand.
export const moving = {
  'moving.up': (p: { name: string }) => `Move ${p.name} up`,
  'moving.down': (p: { name: string }) => `Move ${p.name} down`,
  'moving.incomplete': 'The list has changed. Reload it and reorder again.',
  'moving.saved': 'Order updated successfully',
  'moving.failed': 'Failed to update order',
  'moving.remove': (p: { name: string }) => `Remove ${p.name}`,
  'moving.hidden': 'Hidden',
}
