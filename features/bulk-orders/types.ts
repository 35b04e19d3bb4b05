import type { OrderStatus } from '../orders/rules.ts'

/** The most orders of one run. */
export const MAX_RUN_ORDERS = 100_000
/** Runs of the shop that may go on concurrently. */
export const MAX_RUNNING = 5
/** Failed orders of one answer. */
export const FAILURES_PAGE = 100

/** A bulk change of orders in the background. */
export interface BulkRun {
  id: number
  status: OrderStatus
  state: 'running' | 'done' | 'cancelled'
  total: number
  done: number
  failed: number
  by: string
  started_at: string
}
