// What the POS does with the outcome of a submitted sale.
import type { Outcome, Rejection } from './device/outbox-rules.ts'

/** Why a sale is queued: no network, no response, a temporary server error, or an ended session. */
export type QueuedReason = 'network' | 'silence' | 'trouble' | 'sign-in'

export type SubmitResult =
  | { kind: 'sold'; orderId: number }
  /** The session is locked: the sale stays on screen and is submitted again after the PIN. */
  | { kind: 'locked' }
  /** The sale stays on screen for the cashier to correct. */
  | { kind: 'rejected'; rejection: Rejection }
  /** Without an approval and without the server the sale stays on screen, because the outbox cannot get an approval. */
  | { kind: 'not-approved'; text: string }
  /** The browser could not store the sale and it was not sent: the cashier submits it again. */
  | { kind: 'not-stored'; hasResponse: boolean }
  /** The outbox sends the sale later; the POS is free for the next one. */
  | { kind: 'queued'; reason: QueuedReason }

export interface Submission {
  /** Whether the sale is stored in the outbox. */
  isStored: boolean
  /** Why it cannot be sold offline; null when it can. */
  offlineRejection: string | null
  isOnline: boolean
}

/** Maps the outcome of sending to the next step of the POS. */
export function submitResult(outcome: Outcome, { isStored, offlineRejection, isOnline }: Submission): SubmitResult {
  if (outcome.kind === 'sold') return { kind: 'sold', orderId: outcome.orderId }
  if (outcome.kind === 'locked') return { kind: 'locked' }
  if (outcome.kind === 'rejected') return { kind: 'rejected', rejection: outcome.rejection }
  if (isStored && offlineRejection !== null) return { kind: 'not-approved', text: offlineRejection }
  const hasResponse = outcome.kind !== 'later' || outcome.answered
  if (!isStored) return { kind: 'not-stored', hasResponse }
  if (outcome.kind === 'sign-in') return { kind: 'queued', reason: 'sign-in' }
  if (hasResponse) return { kind: 'queued', reason: 'trouble' }
  return { kind: 'queued', reason: isOnline ? 'silence' : 'network' }
}
