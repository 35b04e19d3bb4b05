// Whether the page of an order polls its payment, and when it has news.
import type { OrderJson } from '../types.ts'
import { invoicePaymentState, isRestOpen, type PaymentStatusJson } from './invoice-rules.ts'

const waitingAdvances = ({ advances }: OrderJson) => advances.filter(({ state }) => state === 'waiting').length

/** Whether the page of the order asks for news: a gateway or staff decide about money. */
export function awaitsDecision(order: OrderJson): boolean {
  return ['waiting', 'review'].includes(invoicePaymentState(order)) || isRestOpen(order) || waitingAdvances(order) > 0
}

/** Whether the fetched status differs from what the page of an order that awaits a decision shows. */
export function hasNews(order: OrderJson, status: PaymentStatusJson): boolean {
  const state = invoicePaymentState(order)
  return (
    status.order_status !== order.status ||
    status.paid_amount !== order.paid ||
    status.waiting_advances < waitingAdvances(order) ||
    (state === 'waiting' || isRestOpen(order) ? status.payment !== 'pending' : state === 'review' && status.payment === 'failed')
  )
}
