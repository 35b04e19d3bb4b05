import { useMemo, useState } from 'react'
import { useI18n } from '#page/page-context.tsx'
import type { Question } from '../admin/ui/confirm.tsx'
import { type StoredOutcome, useStoredOutcome } from './device/outbox.ts'
import { type QueuedSale, shortNumber } from './device/outbox-rules.ts'
import type { QueuedReason } from './submit-rules.ts'
import { useReceipts } from './use-receipts.ts'

/** The sale that was completed last on this page. */
export interface LastSale {
  queued: QueuedSale
  /** Null for a sale in the outbox, with the reason why it is there; `rejected`: it was sent later, and the shop did not take it. */
  orderId: number | null
  reason: QueuedReason | 'rejected' | null
}

interface LastSaleOptions {
  ask: (question: Question) => Promise<boolean>
  /** Lets the outbox send a sale that was just stored. */
  sendSoon: () => void
  /** Moves the focus to the scan box. */
  focus: () => void
}

/** What happens after a sale: it is shown as the last sale and its receipt is printed; the POS goes on. */
export function useLastSale({ ask, sendSoon, focus }: LastSaleOptions) {
  const { t } = useI18n()
  const [completed, setLast] = useState<LastSale | null>(null)
  const outcome = useStoredOutcome(completed?.orderId === null ? completed.queued.key : null)
  const last = useMemo(() => withOutcome(completed, outcome), [completed, outcome])
  const [isShown, setShown] = useState(false)
  const receipts = useReceipts()
  function complete(sale: LastSale) {
    setLast(sale)
    setShown(true)
    receipts.print(sale, true)
    // After the render, so that the page is laid out once. Nothing comes between.
    queueMicrotask(focus)
  }
  /** Products are handed over with an offline receipt; an animal may already be sold, so it is not. */
  function onQueued(queued: QueuedSale, reason: QueuedReason) {
    sendSoon()
    if (!queued.sale?.lines.some(({ isAnimal }) => isAnimal)) return complete({ queued, orderId: null, reason })
    setShown(false)
    const text = t('pos.animal-waits-text', { number: shortNumber(queued.key) })
    void ask({ title: t('pos.animal-waits'), text, action: t('admin.close'), kind: 'primary' })
  }
  return {
    shown: isShown ? last : null,
    /** The next sale has begun. */
    hide: () => setShown(false),
    events: { onQueued, onSold: (queued: QueuedSale, orderId: number) => complete({ queued, orderId, reason: null }) },
    print: () => last && receipts.print(last, false),
    receipt: receipts.receipt,
  }
}

/** A stored sale as it is now that it was sent; null where it was discarded. */
function withOutcome(sale: LastSale | null, outcome: StoredOutcome): LastSale | null {
  if (outcome === 'gone') return null
  if (sale === null || outcome === null) return sale
  return outcome === 'rejected' ? { ...sale, reason: outcome } : { ...sale, orderId: outcome, reason: null }
}
