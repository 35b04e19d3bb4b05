import { useRef, useState } from 'react'
import { showToast } from '#components/toast.tsx'
import { TOAST_TIME } from '#features/pos/rules.ts'
import { useI18n } from '#page/page-context.tsx'
import type { Needed } from './approve-dialog.tsx'
import { beep } from './beep.ts'
import { hasNetwork } from './device/network.ts'
import { putIntoOutbox, readOutbox, takeFromOutbox } from './device/outbox.ts'
import type { Outcome, QueuedSale } from './device/outbox-rules.ts'
import { send, sendWaiting } from './device/sender.ts'
import { storeSale, newSale, type Sale, type Standing, toQueuedSale, withPrices } from './sale.ts'

/** How long a customer waits for the shop's answer; where the network was away just now, not so long. */
const TIMEOUT_MS = { online: 8000, offline: 3000 }

export interface Cashier {
  id: number
  name: string
  shiftId: number | null
}

/** Why a sale waits: there is no network, no answer came, the shop answered that it cannot just now, or it wants to know anew who asks. */
export type QueuedReason = 'network' | 'silence' | 'trouble' | 'sign-in'

interface PlaceOptions {
  sale: Sale
  standing: Standing
  cashier: Cashier
  /** Why it cannot be placed without network. */
  aloneRefusal: string | null
  setSale: (sale: Sale | ((now: Sale) => Sale)) => void
  /** Not with the shop yet: the sale is kept on this device, and goes to the shop by itself. */
  onKept: (sale: QueuedSale, why: QueuedReason) => void
}

/**
 * Places the sale: written down on the device, then sent under its key. With the shop's order its slip is printed; a refusal brings the
 * sale back; without an answer it waits in the outbox, and the till is free.
 */
export function useSubmitSale({ sale, standing, cashier, aloneRefusal, setSale, onKept }: PlaceOptions) {
  const { t } = useI18n()
  const [busy, setBusy] = useState(false)
  const [errors, setErrors] = useState<Record<string, string[]>>({})
  const [needed, setNeeded] = useState<Needed | null>(null)
  const running = useRef(false)
  const fail = (text: string) => {
    beep('refused')
    showToast(text, { kind: 'error', milliseconds: TOAST_TIME })
  }
  /** `approval`: a supervisor has just approved this sale. */
  async function place(approval: Sale['approval'] = null) {
    const own = approval ? { ...sale, approval } : sale
    const refusal = approval ? null : aloneRefusal
    if (running.current) return
    if (!hasNetwork() && sale.lines.some(({ isAnimal }) => isAnimal)) return fail(t('pos.animal-needs-network'))
    // Where the line only seems to be down the shop is asked all the same: what it does not answer comes back here.
    if (!navigator.onLine && refusal !== null) return fail(refusal)
    running.current = true
    setBusy(true)
    setErrors({})
    const waiting = toQueuedSale(own, standing, cashier)
    const isKept = await putIntoOutbox(waiting).then(
      () => true,
      () => false,
    )
    // Should the browser end now, the sale is in the outbox and nowhere else.
    if (isKept) storeSale(newSale())
    const outcome = isKept ? await sendFromCache(waiting, cashier.id) : await send(waiting, TIMEOUT_MS.online)
    if (outcome.kind === 'sold') {
      showToast(t('pos.placed'), { milliseconds: TOAST_TIME })
      storeSale(newSale())
      location.assign(`${outcome.redirect}?print=1`)
      return
    }
    running.current = false
    setBusy(false)
    if (outcome.kind === 'locked') {
      // The lock screen is over the sale; after the PIN it is placed from the screen, under its key.
      storeSale(own)
      if (isKept) await takeFromOutbox(own.key)
      return
    }
    if (outcome.kind === 'clash') {
      storeSale(own)
      if (isKept) await takeFromOutbox(sale.key)
      const { message, errors: fields, approval_needed: approval, products } = outcome.refusal
      setErrors(fields ?? {})
      if (approval) return setNeeded(approval as Needed)
      fail(t('pos.error', { message }))
      return setSale((now) => withPrices(now, products ?? []))
    }
    if (isKept && refusal !== null) {
      // Nobody has approved it, and the shop takes it from no outbox: it goes on from the screen, under its key.
      storeSale(sale)
      await takeFromOutbox(sale.key)
      return fail(refusal)
    }
    if (!isKept) return fail(outcome.kind === 'later' && !outcome.answered ? t('pos.offline') : t('pos.failed'))
    setSale(newSale())
    onKept(waiting, whyKept(outcome))
  }
  return { place, busy, errors, needed, endApproval: () => setNeeded(null) }
}

function whyKept(outcome: Outcome): QueuedReason {
  if (outcome.kind === 'sign-in') return 'sign-in'
  if (outcome.kind === 'later' && outcome.answered) return 'trouble'
  return navigator.onLine ? 'silence' : 'network'
}

/** Sends a sale of the outbox and what waits before it; another tab may have done it already. */
async function sendFromCache(waiting: QueuedSale, cashierId: number): Promise<Outcome> {
  if (!navigator.onLine) return { kind: 'later', answered: false }
  const timeoutMs = hasNetwork() ? TIMEOUT_MS.online : TIMEOUT_MS.offline
  const outcome = await sendWaiting(cashierId, { key: waiting.key, timeoutMs })
  if (outcome) return outcome
  const now = (await readOutbox()).find(({ key }) => key === waiting.key)
  if (now?.clash) return { kind: 'clash', clash: now.clash, refusal: now.clash }
  if (!now?.orderId) return { kind: 'later', answered: false }
  return { kind: 'sold', orderId: now.orderId, redirect: `/admin/quick-orders/pos-invoice/${now.orderId}` }
}
