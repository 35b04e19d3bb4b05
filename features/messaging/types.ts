import type { SmsProblem } from './gateway.ts'

/** `skipped`: left out, because the number had one of the same kind within the hour. */
export const SMS_STATES = ['queued', 'sending', 'submitted', 'failed', 'unknown', 'skipped'] as const
export type SmsState = (typeof SMS_STATES)[number]

/** A message as screens show it. */
export interface SmsJson {
  id: number
  phone: string
  purpose: string
  /** What it tells of: `order-placed`, `payment-received-7`. */
  event: string
  text: string
  state: SmsState
  /** Why it failed, or why nobody knows: the provider's code, or a word of ours. */
  failure: string | null
  attempts: number
  order_id: number | null
  created_at: string
  updated_at: string
  age_seconds: number
  /** Name of the one who wrote it, or sent it again. */
  sent_by: string | null
}

export interface SmsCounts {
  waiting: number
  failed: number
  unknown: number
}

/** How many messages went out today in Dhaka, codes apart, and how many may. */
export interface SmsBudgetJson {
  sent: number
  limit: number
}

export interface SmsProviderJson {
  problem: SmsProblem | 'not-configured' | null
  problem_since: string | null
  /** Taka left, when it was last asked. */
  balance: number | null
  balance_at: string | null
}
