import { useEffect, useRef, useState } from 'react'
import { takaToPoisha } from '#lib/format/money.ts'
import { normalizePhone } from '#lib/format/phone.ts'
import { call } from '#page/api-client.ts'
import { useI18n } from '#page/page-context.tsx'
import type { NewOrderValues, PricedCoupon } from './order-values.ts'

const WAIT_MS = 400

export interface CouponState {
  /** Null until the coupon was applied to the order as it is now. */
  priced: PricedCoupon | null
  /** Why the order cannot use the coupon. */
  rejection: string | null
  isBusy: boolean
  apply: () => void
  /** Prices an applied coupon again: its terms may have changed. */
  refresh: () => void
}

interface Answer {
  code: string
  discount: number
  delivery_saved: number
  message?: string
  errors?: Record<string, string[]>
}

/** Prices the coupon of a new order when it is applied, and again after each change of the order. The order itself redeems it. */
export function useOrderCoupon(values: NewOrderValues): CouponState {
  const { t } = useI18n()
  const [applied, setApplied] = useState('')
  const [result, setResult] = useState<{ basis: string; priced: PricedCoupon | null; rejection: string | null } | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [times, setTimes] = useState(0)
  const code = values.coupon.trim()
  const body = couponBody(values)
  const basis = JSON.stringify(body)
  const latest = useRef(body)
  useEffect(() => void (latest.current = body))
  const isWanted = code !== '' && applied === code
  const isReady = body.products.length > 0 && normalizePhone(body.phone) !== null
  useEffect(() => {
    if (!isWanted || !isReady) return
    const stop = new AbortController()
    setBusy(true)
    const timer = setTimeout(async () => {
      const answer = await call<Answer>('/api/admin/orders/coupon', { method: 'POST', body: latest.current, signal: stop.signal })
      if (stop.signal.aborted) return
      setBusy(false)
      if (answer.ok) {
        const { code, discount, delivery_saved } = answer.body
        const priced = { code, discount: takaToPoisha(discount), deliverySaved: takaToPoisha(delivery_saved) }
        return setResult({ basis, priced, rejection: null })
      }
      const text = answer.noResponse ? null : (answer.body?.errors?.coupon?.[0] ?? answer.body?.message)
      setResult({ basis, priced: null, rejection: text ?? t('coupon.failed') })
    }, WAIT_MS)
    return () => {
      clearTimeout(timer)
      stop.abort()
      setBusy(false)
    }
    // `times` asks for another price.
  }, [basis, isWanted, isReady, times, t])
  const current = isWanted && result?.basis === basis ? result : null
  const missing = isWanted && !isReady ? t('admin-orders.coupon-needs') : null
  return {
    priced: current?.priced ?? null,
    rejection: missing ?? current?.rejection ?? null,
    isBusy,
    apply: () => setApplied(code),
    refresh: () => setTimes((now) => now + 1),
  }
}

function couponBody({ coupon, phone, area_id, is_collection, products }: NewOrderValues) {
  const lines = products.filter(({ product_id }) => product_id !== '')
  return {
    coupon: coupon.trim(),
    phone: phone ?? '',
    area_id: is_collection ? '' : area_id,
    products: lines.map(({ product_id, quantity }) => ({ product_id, quantity })),
  }
}
