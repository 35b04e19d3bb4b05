import { useRef, useState } from 'react'
import { showToast } from '#components/toast.tsx'
import { TOAST_TIME } from '#features/pos/rules.ts'
import { useI18n } from '#page/page-context.tsx'
import type { Needed } from './approve-dialog.tsx'
import { beep } from './beep.ts'
import { hasNetwork } from './device/network.ts'
import { putIntoOutbox, readOutbox, takeFromOutbox } from './device/outbox.ts'
import type { Outcome, QueuedSale, Rejection } from './device/outbox-rules.ts'
import { send, sendWaiting } from './device/sender.ts'
import { showSoldOnDisplay } from './hardware/display-channel.ts'
import { storeSale, newSale, type Sale, type SaleState, toQueuedSale, withPrices } from './sale.ts'
import { type QueuedReason, submitResult } from './submit-rules.ts'

/** How long the cashier waits for a response; shorter when the network was just down. */
const TIMEOUT_MS = { online: 8000, offline: 3000 }

export interface Cashier {
  id: number
  name: string
  shiftId: number | null
}

interface SubmitOptions {
  sale: Sale
  state: SaleState
  cashier: Cashier
  /** Why the sale cannot be submitted offline; null when it can. */
  offlineRejection: string | null
  setSale: (sale: Sale | ((now: Sale) => Sale)) => void
  /** The sale is queued on this device and will be sent automatically. */
  onQueued: (sale: QueuedSale, reason: QueuedReason) => void
}

/**
 * Submits the sale: stores it in the outbox, then sends it under its idempotency key. An order prints its receipt; a rejection returns the
 * sale to the screen; without a response the sale stays in the outbox and the POS is free.
 */
export function useSubmitSale({ sale, state, cashier, offlineRejection, setSale, onQueued }: SubmitOptions) {
  const { t } = useI18n()
  const [busy, setBusy] = useState(false)
  const [errors, setErrors] = useState<Record<string, string[]>>({})
  const [needed, setNeeded] = useState<Needed | null>(null)
  const running = useRef(false)
  const fail = (text: string) => {
    beep('rejected')
    showToast(text, { kind: 'error', milliseconds: TOAST_TIME })
  }
  function handleRejection({ message, errors: fields, approval_needed: approval, products }: Rejection) {
    setErrors(fields ?? {})
    if (approval) return setNeeded(approval as Needed)
    fail(t('pos.error', { message }))
    setSale((now) => withPrices(now, products ?? []))
  }
  /** `approval`: a supervisor has just approved this sale. */
  async function submit(approval: Sale['approval'] = null) {
    const own = approval ? { ...sale, approval } : sale
    const rejection = approval ? null : offlineRejection
    if (running.current) return
    if (!hasNetwork() && sale.lines.some(({ isAnimal }) => isAnimal)) return fail(t('pos.animal-needs-network'))
    // When only the server seems unreachable, the sale is sent anyway: it returns to the screen without a response.
    if (!navigator.onLine && rejection !== null) return fail(rejection)
    running.current = true
    setBusy(true)
    setErrors({})
    const queued = toQueuedSale(own, state, cashier)
    const { outcome, isStored } = await storeAndSend(queued, cashier.id)
    const result = submitResult(outcome, { isStored, offlineRejection: rejection, isOnline: navigator.onLine })
    if (result.kind === 'sold' || result.kind === 'queued') showSoldOnDisplay()
    if (result.kind === 'sold') {
      showToast(t('pos.placed'), { milliseconds: TOAST_TIME })
      storeSale(newSale())
      storeSale(newSale())
      return location.assign(`${result.redirect}?print=1`)
    }
    running.current = false
    setBusy(false)
    if (result.kind === 'not-stored') return fail(t(result.hasResponse ? 'pos.failed' : 'pos.offline'))
    if (result.kind === 'queued') {
      setSale(newSale())
      return onQueued(queued, result.reason)
    }
    // The sale goes on from the screen under its key, so it leaves the outbox.
    storeSale(result.kind === 'not-approved' ? sale : own)
    if (isStored) await takeFromOutbox(own.key)
    if (result.kind === 'rejected') handleRejection(result.rejection)
    if (result.kind === 'not-approved') fail(result.text)
  }
  return { submit, busy, errors, needed, endApproval: () => setNeeded(null) }
}

/** Stores the sale in the outbox and sends it; sends it directly when the browser cannot store it. */
async function storeAndSend(queued: QueuedSale, cashierId: number): Promise<{ outcome: Outcome; isStored: boolean }> {
  const isStored = await putIntoOutbox(queued).then(
    () => true,
    () => false,
  )
  if (!isStored) return { outcome: await send(queued, TIMEOUT_MS.online), isStored }
  // After a crash of the browser the sale must be in the outbox only, not on screen as well.
  storeSale(newSale())
  return { outcome: await sendQueued(queued, cashierId), isStored }
}

/** Sends the sale and all sales queued before it; reads the outbox when another tab has sent it. */
async function sendQueued(queued: QueuedSale, cashierId: number): Promise<Outcome> {
  if (!navigator.onLine) return { kind: 'later', answered: false }
  const timeoutMs = hasNetwork() ? TIMEOUT_MS.online : TIMEOUT_MS.offline
  const outcome = await sendWaiting(cashierId, { key: queued.key, timeoutMs })
  if (outcome) return outcome
  const now = (await readOutbox()).find(({ key }) => key === queued.key)
  if (now?.rejection) return { kind: 'rejected', summary: now.rejection, rejection: now.rejection }
  if (!now?.orderId) return { kind: 'later', answered: false }
  return { kind: 'sold', orderId: now.orderId, redirect: `/admin/quick-orders/pos-invoice/${now.orderId}` }
}
