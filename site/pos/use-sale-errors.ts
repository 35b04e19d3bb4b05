import { useMemo, useState } from 'react'
import { showToast } from '#components/toast.tsx'
import { TOAST_TIME } from '#features/pos/rules.ts'
import { useI18n } from '#page/page-context.tsx'
import type { Needed } from './approve-dialog.tsx'
import { beep } from './beep.ts'
import { refreshCatalog } from './device/catalog.ts'
import type { Rejection } from './device/outbox-rules.ts'
import { refreshTerms } from './device/shop-terms.ts'
import { focusField } from './focus-field.ts'
import { type Sale, withPrices } from './sale.ts'
import { unpriced } from './sale-coupon.ts'
import { errorField, errorInput } from './sale-problem.ts'
import type { SaleStore } from './sale-store.ts'

type Errors = Record<string, string[]>

/** The errors of the last submit, and what a supervisor has to approve. An error ends when its input is changed. */
export function useSaleErrors(store: SaleStore) {
  const { t } = useI18n()
  /** With the sale as it was rejected. */
  const [rejected, setRejected] = useState<{ errors: Errors; sale: Sale } | null>(null)
  const sale = store.get()
  const errors = useMemo(() => openErrors(rejected, sale), [rejected, sale])
  const [needed, setNeeded] = useState<Needed | null>(null)
  const fail = (text: string) => {
    beep('rejected')
    showToast(text, { kind: 'error', milliseconds: TOAST_TIME })
  }
  /**
   * Shows the server's rejection, and puts the current prices into the sale; its coupon is priced again. Products and terms of the shop are
   * read: another delivery charge or day may be the reason.
   */
  function reject({ message, errors: fields, approval_needed: approval, products }: Rejection) {
    setRejected({ errors: fields ?? {}, sale: store.get() })
    const field = errorField(fields ?? {})
    if (field !== null && !approval) focusField(field)
    if (approval) return setNeeded(approval as Needed)
    fail(t('pos.error', { message }))
    store.set((now) => ({ ...withPrices(now, products ?? []), coupon: unpriced(now.coupon) }))
    refreshCatalog()
    void refreshTerms()
  }
  return {
    errors,
    needed,
    clear: () => setRejected(null),
    fail,
    reject,
    endApproval: () => setNeeded(null),
  }
}

const NONE: Errors = {}

function openErrors(rejected: { errors: Errors; sale: Sale } | null, now: Sale): Errors {
  if (rejected === null) return NONE
  const isOpen = (field: string) => {
    const input = errorInput(field)
    return input === null || rejected.sale[input] === now[input]
  }
  return Object.fromEntries(Object.entries(rejected.errors).filter(([field]) => isOpen(field)))
}
