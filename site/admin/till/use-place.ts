import { useRef, useState } from 'react'
import { showToast } from '#components/toast.tsx'
import { TOAST_TIME } from '#features/pos/rules.ts'
import { call } from '#site/api-client.ts'
import { useI18n } from '#site/app-root.tsx'
import { beep } from './beep.ts'
import { keepSale, newSale, type Sale, saleBodyOf, type Standing } from './sale.ts'

interface Placed {
  redirect?: string
  message?: string
  products?: { id: number; price: number }[]
}

/** Places the sale under its key, until an answer has come; then its slip is printed. */
export function usePlace(sale: Sale, standing: Standing, setSale: (sale: (now: Sale) => Sale) => void) {
  const { t } = useI18n()
  const [busy, setBusy] = useState(false)
  const running = useRef(false)
  const fail = (text: string) => {
    beep('refused')
    showToast(text, { kind: 'error', milliseconds: TOAST_TIME })
  }
  async function place() {
    if (running.current) return
    running.current = true
    setBusy(true)
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
    fail(t('pos.error', { message: answer.body.message }))
    const fresh = new Map(answer.body.products?.map(({ id, price }) => [id, Math.round(price * 100)]))
    setSale((now) => ({
      ...now,
      lines: now.lines.map((line) => ({ ...line, price: (fresh.get(line.id) ?? line.price) as typeof line.price })),
    }))
  }
  return { place, busy }
}
