import { plural } from '#lib/format/plural.ts'

// Changing all orders of a filter in the background.
export const bulkOrders = {
  'admin-orders.all-select': 'Select all matching orders',
  'admin-orders.all-selected': (p: { count: string }) => `All ${plural(p.count, 'matching order')} selected`,
  'admin-orders.all-only-page': 'Only this page',
  'admin-orders.all-text':
    'The orders are changed in the background, each by itself. Orders that arrive later or change meanwhile stay as they are.',
  'admin-orders.all-check':
    'Orders with an amount due, an animal without settled final weighing or a second delivery ahead stay as they are and are listed.',
  'admin-orders.all-none': 'No order matches.',
  'admin-orders.all-too-many': (p: { count: string }) => `Choose filters for up to ${p.count} orders.`,
  'admin-orders.all-too-many-runs': (p: { count: string }) => `${p.count} bulk changes are running already. Wait for one to end.`,
  'admin-orders.all-changed': (p: { count: string }) => `Now ${plural(p.count, 'order matches', 'orders match')}. Select them again.`,
  'admin-orders.all-ended': 'This bulk change has ended already.',
  'admin-orders.all-needs-check': 'Amount due, final weighing or second delivery open: change it by hand',
  'admin-orders.runs': 'Bulk changes',
  'admin-orders.run': (p: { total: string; status: string; name: string }) => `${plural(p.total, 'order')} to “${p.status}”, by ${p.name}`,
  'admin-orders.run-progress': (p: { done: string; failed: string; left: string }) =>
    `${p.done} changed, ${p.failed} not changed, ${p.left} left`,
  'admin-orders.run-done': (p: { done: string; failed: string }) => `Done: ${p.done} changed, ${p.failed} not changed`,
  'admin-orders.run-cancelled': (p: { done: string; failed: string; left: string }) =>
    `Stopped: ${p.done} changed, ${p.failed} not changed, ${p.left} left as they were`,
  'admin-orders.run-cancel': 'Stop',
  'admin-orders.run-failures': 'Not changed, and why',
  'admin-orders.run-more': 'Show more',
  'admin-orders.run-reload': 'Reload the list',
}
