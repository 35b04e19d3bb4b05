import { hasNetwork } from './device/network.ts'
import { type AddedSale, addToOutbox, readOutbox } from './device/outbox.ts'
import type { Outcome, QueuedSale } from './device/outbox-rules.ts'
import { send, sendWaiting } from './device/sender.ts'
import type { SaleStore } from './sale-store.ts'

/** How long the cashier waits for a response; shorter when the network was just down. */
const TIMEOUT_MS = { online: 8000, offline: 3000 }

export interface SentSale {
  /** The sale as stored: another open sale may have had its key. */
  queued: QueuedSale
  outcome: Outcome
  isStored: boolean
}

/** Stores the sale in the outbox and sends it from there; sends it directly when the browser cannot store it. */
export async function storeAndSend(sale: QueuedSale, store: SaleStore, cashierId: number): Promise<SentSale> {
  const adding = addToOutbox(sale)
  const sending = sendQueued(adding, store, cashierId).catch((): Outcome => ({ kind: 'later', answered: false }))
  const added = await adding.catch(() => null)
  if (added === null) return { queued: sale, outcome: await send(sale, TIMEOUT_MS.online), isStored: false }
  const stored = added.sale
  store.set((now) => (now.key === sale.key && stored.key !== sale.key ? { ...now, key: stored.key, approval: null } : now))
  // After a crash of the browser the sale must be in the outbox only, not on screen as well.
  store.unpersist()
  const outcome = await sending
  // The page shows at once that it waits.
  if (outcome.kind === 'later') void readOutbox()
  return { queued: stored, outcome, isStored: true }
}

/** Sends the sale, once it is stored, and all sales queued before it; reads the outbox when another tab has sent it. */
async function sendQueued(adding: Promise<AddedSale>, store: SaleStore, cashierId: number): Promise<Outcome> {
  if (!navigator.onLine) return { kind: 'later', answered: false }
  const timeoutMs = hasNetwork() ? TIMEOUT_MS.online : TIMEOUT_MS.offline
  const outcome = await sendWaiting(cashierId, { adding, timeoutMs, onRejected: () => store.persist() })
  if (outcome) return outcome
  const added = await adding
  const now = (await readOutbox()).find(({ key }) => key === added.sale.key)
  if (now?.state === 'rejected' && now.rejection) return { kind: 'rejected', summary: now.rejection, rejection: now.rejection }
  if (!now?.orderId) return { kind: 'later', answered: false }
  return { kind: 'sold', orderId: now.orderId, redirect: `/admin/quick-orders/pos-invoice/${now.orderId}` }
}
