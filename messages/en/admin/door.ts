// Orders going out, being delivered or cancelled: final weighing, two deliveries, and cash at the door.
export const door = {
  'door.cash-not-delivered': 'Cash is recorded only with the delivery. Choose Delivered.',
  'door.cash-too-much': 'This is more than the amount due. Reload the page to see it.',
  'door.title': (p: { order: string; status: string }) => `Order ${p.order}: ${p.status}?`,
  'door.title-many': (p: { count: string; status: string }) => `${p.count} orders: ${p.status}?`,
  'door.not-weighed': (p: { tag: string }) => `${p.tag}: no final weighing`,
  'door.not-settled': (p: { tag: string; kg: string }) => `${p.tag}: weighed ${p.kg}, not settled yet`,
  'door.weighing-text': 'The price follows the final weight. Weigh and settle before the animal leaves.',
  'door.second-ahead': (p: { day: string }) => `Two deliveries, the second on ${p.day}. Keep the order in Processing until it is sent.`,
  'door.cancel-first-made':
    'The first delivery may have been made. Cancelling puts all products back in stock. To cancel the second alone, remove its products.',
  'door.over-counter': 'Handed over at the counter',
  'door.due': (p: { amount: string }) => `${p.amount} due`,
  'door.collected': 'Collected at the door (৳)',
  'door.collected-of': (p: { order: string }) => `Collected for order ${p.order} (৳)`,
  'door.collected-hint': 'Recorded as cash on delivery. Leave empty if nothing was collected.',
  'door.fill': 'All collected in full',
  'door.clear': 'Nothing collected',
  'door.more': (p: { amount: string }) => `At most ${p.amount}`,
  'door.go': (p: { status: string }) => `Mark as ${p.status}`,
  'door.go-collected': (p: { status: string; amount: string }) => `${p.status}, ${p.amount} collected`,
  'door.go-not-collected': (p: { status: string }) => `${p.status}, nothing collected`,
}
