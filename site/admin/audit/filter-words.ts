// Words of the filters of a list, which the audit log stores as they stood in its address (`features/audit/logged-filter.ts`).
import type { MessageKey } from '#lib/i18n/translate.ts'

/** The labels of filters. One name has one meaning in all lists. */
export const FILTER_LABELS: Readonly<Record<string, MessageKey>> = {
  q: 'admin-orders.search',
  status: 'admin-orders.status',
  due: 'admin-orders.due',
  area_id: 'admin-orders.area',
  list_on: 'admin-orders.delivery-day',
  late_on: 'audit.filter.late_on',
  kurbani_after: 'audit.filter.kurbani_after',
  open: 'audit.filter.open',
  attention: 'admin-orders.flagged',
  source: 'admin-orders.source',
  tag: 'admin-orders.tag',
  from: 'admin.from',
  to: 'admin.to',
  user_id: 'audit.subject.customer',
  state: 'customers.state',
  category_id: 'customers.bought',
  product_id: 'customers.bought',
  quiet_since: 'customers.quiet-since',
  kind: 'payments.kind',
  method: 'admin-orders.method',
  district: 'bookings.district',
  price: 'bookings.price',
  list: 'stock-take.lists',
  subject: 'audit.subject',
  subject_id: 'audit.subject-id',
  actor: 'audit.who',
}

/** The keys of the words of a choice in the list of `subject`; the first that exists counts. */
export function filterChoices(subject: string, name: string, value: string): string[] {
  const choices: Record<string, string[]> = {
    due: [subject === 'customer' ? `customers.due-${value}` : `admin-orders.due.${value}`],
    source: [`admin-orders.source.${value}`],
    state: [subject === 'booking' ? `bookings.state.${value}` : subject === 'customer' ? `customers.${value}` : `sms.state.${value}`],
    kind: [`ledger.${value}`],
    list: [`stock-take.list.${value}`],
    subject: [`audit.subject.${value}`],
    open: value === '1' ? ['audit.yes'] : [],
    attention: value === '1' ? ['audit.yes'] : [],
  }
  return choices[name] ?? []
}
