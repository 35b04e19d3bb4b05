import { useRef, useState } from 'react'
import { showToast } from '#components/toast.tsx'
import { isPriceSet, setPriceOf, TOAST_TIME } from '#features/pos/rules.ts'
import { call } from '#site/api-client.ts'
import { useI18n } from '#site/app-root.tsx'
import type { Needed } from './approve-dialog.tsx'
import { beep } from './beep.ts'
import { keepSale, newSale, type Sale, saleBodyOf, type Standing } from './sale.ts'

interface Placed {
  redirect?: string
  message?: string
  errors?: Record<string, string[]>
  approval_needed?: Needed
  products?: { id: number; price: number }[]
}

/** Places the sale under its key, until an answer has come; then its slip is printed. */
export function usePlace(sale: Sale, standing: Standing, setSale: (sale: (now: Sale) => Sale) => void) {
  const { t } = useI18n()
  const [busy, setBusy] = useState(false)
  const [errors, setErrors] = useState<Record<string, string[]>>({})
  const [needed, setNeeded] = useState<Needed | null>(null)
  const running = useRef(false)
  const fail = (text: string) => {
    beep('refused')
    showToast(text, { kind: 'error', milliseconds: TOAST_TIME })
  }
  async function place() {
    if (running.current) return
    running.current = true
    setBusy(true)
    setErrors({})
    const answer = await call<Placed>('/admin/quick-orders/store', {
      method: 'POST',
      body: saleBodyOf(sale, standing),
      headers: { 'idempotency-key': sale.key },
    })
    if (answer.ok && answer.body?.redirect) {
      showToast(t('pos.placed'), { milliseconds: TOAST_TIME })
      keepSale(newSale())
      location.assign(`${answer.body.redirect}?print=1`)
      return
    }
    running.current = false
    setBusy(false)
    if (answer.noResponse) return fail(t('pos.offline'))
    if (answer.status >= 500 || !answer.body?.message) return fail(t('pos.failed'))
    setErrors(answer.body.errors ?? {})
    if (answer.body.approval_needed) return setNeeded(answer.body.approval_needed)
    fail(t('pos.error', { message: answer.body.message }))
    const fresh = new Map(answer.body.products?.map(({ id, price }) => [id, Math.round(price * 100)]))
    setSale((now) => ({
      ...now,
      lines: now.lines.map((line) => (isPriceSet(line) ? line : setPriceOf(line, (fresh.get(line.id) ?? line.price) as typeof line.price))),
    }))
  }
  return { place, busy, errors, needed, endApproval: () => setNeeded(null) }
}
