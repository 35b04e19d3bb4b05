import type { SmsProblem } from './gateway.ts'

/** `skipped`: not sent, because the number got one of the same kind within the hour. */
export const SMS_STATES = ['queued', 'sending', 'submitted', 'failed', 'unknown', 'skipped'] as const
export type SmsState = (typeof SMS_STATES)[number]

/** What the log can be limited to. `problem`: failed or unknown, what staff must look at. */
export const SMS_LISTS = [...SMS_STATES, 'problem'] as const
export type SmsList = (typeof SMS_LISTS)[number]

export const PROBLEM_STATES: readonly SmsState[] = ['failed', 'unknown']

/** The log counts the messages with a problem of so many days; the dashboard and the health page those of fewer. */
export const SMS_COUNT_DAYS = 30
/** To how many last days the lists of messages with a problem can be limited: an index serves these. */
export const SMS_LIST_DAYS: readonly number[] = [1, 7, SMS_COUNT_DAYS]

/** Whether a list has messages with a problem only. */
export const isProblemList = (state: string | undefined | null): boolean =>
  state === 'problem' || PROBLEM_STATES.some((one) => one === state)

/** A message in JSON. */
export interface SmsJson {
  id: number
  phone: string
  purpose: string
  /** Its event: `order-placed`, `payment-received-7`. */
  event: string
  text: string
  state: SmsState
  /** The reason of `failed` and `unknown`: the provider's code, or one of the shop's. */
  failure: string | null
  attempts: number
  order_id: number | null
  created_at: string
  updated_at: string
  age_seconds: number
  /** The member of staff who wrote or resent it. */
  sent_by: string | null
}

export interface SmsCounts {
  waiting: number
  failed: number
  unknown: number
}

/** Messages sent today in Dhaka, without codes, and their limit. */
export interface SmsBudgetJson {
  sent: number
  limit: number
}

export interface SmsProviderJson {
  problem: SmsProblem | 'not-configured' | null
  problem_since: string | null
  /** The balance in taka at the last check. */
  balance: number | null
  balance_at: string | null
}
