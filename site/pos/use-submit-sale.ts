import { flushSync } from 'react-dom'
import { showToast } from '#components/toast.tsx'
import { TOAST_TIME } from '#features/pos/rules.ts'
import { useI18n } from '#page/page-context.tsx'
import type { Question } from '../admin/ui/confirm.tsx'
import { beep } from './beep.ts'
import { returnToScreen, takeFromOutbox } from './device/outbox.ts'
import type { QueuedSale } from './device/outbox-rules.ts'
import { isDeviceFull, noteStorageError } from './device/storage-state.ts'
import { showSoldOnDisplay } from './hardware/display-channel.ts'
import { getSaleState, newSale, type Sale, type SaleShop, toQueuedSale } from './sale.ts'
import { blockedBy } from './sale-blocks.ts'
import type { SaleStore } from './sale-store.ts'
import { type SentSale, storeAndSend } from './send-sale.ts'
import { type QueuedReason, type SubmitResult, submitResult } from './submit-rules.ts'
import { useLateBusy } from './use-late-busy.ts'
import { useSaleErrors } from './use-sale-errors.ts'

export interface Cashier {
  id: number
  name: string
  shiftId: number | null
}

export interface SubmitOptions {
  store: SaleStore
  shop: SaleShop
  cashier: Cashier
  /** Why the sale cannot be submitted offline; null when it can. */
  offlineRejection: string | null
  ask: (question: Question) => Promise<boolean>
  onSold: (sale: QueuedSale, orderId: number) => void
  /** The sale is queued on this device and will be sent automatically. */
  onQueued: (sale: QueuedSale, reason: QueuedReason) => void
}

/**
 * Submits the sale: stores it in the outbox, then sends it under its idempotency key. After an order the screen is free for the next sale;
 * a rejection returns the sale to the screen; without a response the sale stays in the outbox and the screen is free as well.
 */
export function useSubmitSale({ store, shop, cashier, offlineRejection, ask, onSold, onQueued }: SubmitOptions) {
  const { t } = useI18n()
  const { busy, begin, end } = useLateBusy()
  const { errors, needed, clear, fail, reject, endApproval } = useSaleErrors(store)
  async function askForNewKey(key: string, text: string) {
    beep('rejected')
    const question = { title: t('pos.key-reused-title'), text, action: t('pos.key-reused-do') }
    if (!(await ask({ ...question, kind: 'primary' }))) return
    if (store.get().isUnsent) await takeFromOutbox(key).catch(noteStorageError)
    store.set((now) => (now.key === key ? { ...now, key: crypto.randomUUID(), approval: null, isUnsent: undefined } : now))
    await submit()
  }
  /** `approval`: a supervisor has just approved this sale. */
  async function submit(approval: Sale['approval'] = null) {
    const sale = store.get()
    const own = approval ? { ...sale, approval } : sale
    const rejection = approval ? null : offlineRejection
    if (store.isSending || getSaleState(own, shop).problem !== null) return
    const problem = blockedBy(own, cashier)
    if (problem) return fail(t(problem))
    // When only the server seems unreachable, the sale is sent anyway: it returns to the screen without a response.
    if (!navigator.onLine && rejection !== null) return fail(rejection)
    store.startSending()
    begin()
    clear()
    const queued = toQueuedSale(own, getSaleState(own, shop), cashier)
    const sent = await storeAndSend(queued, store, cashier.id).finally(() => store.endSending())
    // One render: the sale leaves the screen, and the screen is free.
    flushSync(() => {
      end()
      void handle(sent, rejection)
    })
  }
  async function handle({ queued, outcome, isStored }: SentSale, offlineRejection: string | null) {
    const result = submitResult(outcome, { isStored, offlineRejection, isOnline: navigator.onLine })
    if (result.kind === 'sold' || result.kind === 'queued') return finish(queued, result)
    // The sale goes on from the screen under its key, so it leaves the outbox.
    store.persist()
    if (isStored) await returnToScreen(queued).catch(noteStorageError)
    if (result.kind === 'not-stored') return fail(t(isDeviceFull() ? 'pos.device-full' : result.hasResponse ? 'pos.failed' : 'pos.offline'))
    if (result.kind === 'not-approved') return fail(result.text)
    if (result.kind !== 'rejected') return
    if (result.rejection.reason === 'key-reused') return askForNewKey(queued.key, result.rejection.message)
    reject(result.rejection)
  }
  /** Clears the screen for the next sale. */
  function finish(queued: QueuedSale, result: Extract<SubmitResult, { kind: 'sold' | 'queued' }>) {
    showSoldOnDisplay()
    store.set((now) => (now.key === queued.key ? newSale() : now))
    if (result.kind === 'queued') return onQueued(queued, result.reason)
    showToast(t('pos.placed'), { milliseconds: TOAST_TIME })
    onSold(queued, result.orderId)
  }
  return { submit, busy, errors, needed, endApproval }
}
