import { timeoutSignal } from '#lib/async/timeout-signal.ts'
import { UNLOCKED_EVENT } from '#site/admin/lock/lock-events.ts'
import { afterPaint } from '../after-paint.ts'
import { registerBackgroundSync } from './background-sync.ts'
import { onCallSucceeded, posCall } from './network.ts'
import { type AddedSale, changeInOutbox, returnToScreen, storedSales } from './outbox.ts'
import { noteStorageError } from './storage-state.ts'
import { backoff, type Outcome, outcomeOf, waitingOf, type QueuedSale } from './outbox-rules.ts'
import { SEND_LOCK } from '#features/pos/storage-names.ts'

const TIMEOUT_MS = 15_000

/** Sends a sale under its idempotency key, with the device's clock for the skew. */
export async function send(sale: QueuedSale, timeoutMs = TIMEOUT_MS): Promise<Outcome> {
  const headers = { 'idempotency-key': sale.key, 'x-sent-at': new Date().toISOString() }
  return outcomeOf(await posCall('/admin/quick-orders/store', { method: 'POST', body: sale.body, headers, timeoutMs }))
}

/** The sale on screen, which is being stored, and how long its cashier waits for an answer. */
interface OwnSale {
  adding: Promise<AddedSale>
  timeoutMs: number
  /** Stores the sale with the screen again, while the outbox still has it: the tab may end between. */
  onRejected?: () => void
}

/**
 * Sends the waiting sales of this cashier in order, in one tab at a time (Web Lock); stops early without a response. `own` is the
 * sale on screen: its outcome is returned, and a rejection is not stored because the cashier handles it. It is sent when it is stored; the lock is
 * asked for meanwhile. One that was alone when it was stored is sent without another look at the device: should another tab have sent it meanwhile,
 * its key makes it the same sale. Rejects when it cannot be stored.
 */
export async function sendWaiting(cashierId: number, own: OwnSale | null = null): Promise<Outcome | null> {
  const signal = own ? timeoutSignal(own.timeoutMs) : null
  const until = Date.now() + (own?.timeoutMs ?? 0)
  try {
    return await navigator.locks.request(SEND_LOCK, signal ? { signal } : {}, async () => {
      let failed: Outcome | null = null
      const added = await own?.adding
      for (const sale of added?.isAlone ? [added.sale] : waitingOf(await storedSales(), cashierId)) {
        // The cashier does not wait for all the sales of a day without network.
        if (own && Date.now() >= until) return { kind: 'later', answered: false }
        const outcome = await send(sale, own ? Math.max(1000, until - Date.now()) : TIMEOUT_MS)
        if (sale.key === added?.sale.key) {
          await noteOwn(sale, outcome, own)
          return outcome
        }
        if (concernsAll(outcome)) return outcome
        // The session is another cashier's, to whom the sale on screen gets its own answer.
        if (isOfOther(outcome)) failed = { kind: 'sign-in' }
        // A server error for one sale does not block the others.
        else if (outcome.kind === 'later') failed = outcome
        else await noteOutcome(sale.key, outcome)
      }
      return failed
    })
  } catch (error) {
    if (!signal?.aborted) throw error
    return { kind: 'later', answered: false }
  }
}

/** Whether the next sale would get the same answer. */
const concernsAll = (outcome: Outcome) =>
  outcome.kind === 'sign-in' || outcome.kind === 'locked' || (outcome.kind === 'later' && !outcome.answered)

/** Whether the sale waits until its own cashier is signed in again. */
const isOfOther = (outcome: Outcome) => outcome.kind === 'rejected' && ['other-cashier', 'other-user'].includes(outcome.summary.reason)

/** Stores the outcome of a sale. One that cannot be written does not block the next sale: the shop answers again, and the key makes it the same sale. */
async function noteOutcome(key: string, outcome: Outcome): Promise<void> {
  if (outcome.kind === 'sold')
    await changeInOutbox(key, { state: 'sold', orderId: outcome.orderId, sale: null, body: {} }).catch(noteStorageError)
  if (outcome.kind === 'rejected') await changeInOutbox(key, { state: 'rejected', rejection: outcome.summary }).catch(noteStorageError)
}

/** The same for the sale on screen. The cashier waits neither for the disk nor for the work to write to it. */
async function noteOwn(sale: QueuedSale, outcome: Outcome, own: OwnSale | null): Promise<void> {
  if (outcome.kind === 'sold') afterPaint(() => void noteOutcome(sale.key, outcome))
  if (outcome.kind !== 'rejected') return
  own?.onRejected?.()
  // It goes on from the screen. Removed under the lock, so that no other tab and no worker sends it once more.
  await returnToScreen(sale, outcome.summary).catch(noteStorageError)
}

export interface Sender {
  now(): void
  /** Sends a sale that was stored without an answer: after a delay, or as soon as a call succeeds. */
  soon(): void
  stop(): void
}

/** Calls when the network returns, the session is unlocked, or the page is shown again. Returns the unsubscribe function. */
function onReturn(now: () => void): () => void {
  const onVisible = () => {
    if (document.visibilityState === 'visible') now()
  }
  window.addEventListener('online', now)
  window.addEventListener(UNLOCKED_EVENT, now)
  document.addEventListener('visibilitychange', onVisible)
  return () => {
    window.removeEventListener('online', now)
    window.removeEventListener(UNLOCKED_EVENT, now)
    document.removeEventListener('visibilitychange', onVisible)
  }
}

/** Sends waiting sales while the page is open: immediately, when the network returns or a call succeeds, and with a growing delay. */
export function runSender(cashierId: number, onSignIn: (needed: boolean) => void): Sender {
  let timer: ReturnType<typeof setTimeout> | undefined
  let tries = 0
  let stopped = false
  let running = false
  /** Requested during a run, which may have read the waiting sales already. */
  let isRequestedAgain = false
  /** The server did not answer, or the session had ended: a call that succeeds shows that this is over. */
  let waitsForServer = false
  /** Runs that a successful call began and that had no answer all the same: something stops sales alone. */
  let fruitless = 0
  let notBefore = 0
  const run = async (isAfterSuccess = false) => {
    isRequestedAgain = running
    if (running || stopped) return
    running = true
    waitsForServer = false
    clearTimeout(timer)
    const outcome = await sendWaiting(cashierId).catch((): Outcome => ({ kind: 'later', answered: false }))
    running = false
    onSignIn(outcome?.kind === 'sign-in')
    tries = outcome ? tries + 1 : 0
    waitsForServer = outcome !== null && !(outcome.kind === 'later' && outcome.answered)
    fruitless = waitsForServer ? fruitless + Number(isAfterSuccess) : 0
    notBefore = fruitless === 0 ? 0 : Date.now() + backoff(fruitless - 1)
    if (outcome !== null) registerBackgroundSync()
    if (!stopped && (outcome !== null || isRequestedAgain)) timer = setTimeout(run, outcome === null ? 0 : backoff(tries - 1))
  }
  const now = () => {
    tries = 0
    void run()
  }
  const afterSuccess = () => {
    if (waitsForServer && Date.now() >= notBefore) void run(true)
  }
  const soon = () => {
    registerBackgroundSync()
    isRequestedAgain = running
    if (running || stopped) return
    waitsForServer = true
    clearTimeout(timer)
    timer = setTimeout(run, backoff(0))
  }
  const endListening = [onCallSucceeded(afterSuccess), onReturn(now)]
  now()
  return {
    now,
    soon,
    stop() {
      stopped = true
      clearTimeout(timer)
      for (const end of endListening) end()
    },
  }
}
