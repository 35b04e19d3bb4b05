import { useEffect, useRef, useState } from 'react'
import { takaToPoisha } from '#lib/format/money.ts'
import { useI18n } from '#page/page-context.tsx'
import { posCall, useNetwork } from './device/network.ts'
import { noteCouponPricing } from './coupon-pricing.ts'
import { conflictOf, couponBasis, couponBodyOf, type SaleCoupon } from './sale-coupon.ts'
import type { Sale } from './sale.ts'

interface Priced {
  code: string
  discount: number
  delivery_saved: number
}
/** Null where it is no JSON, such as the page of a proxy. */
type Answer = (Priced & { errors?: Record<string, string[]>; message?: string }) | null

const reasonOf = (answer: Answer | undefined) => answer?.errors?.coupon?.[0] ?? answer?.message

/** Prices the coupon of the sale when the cashier asks for it, and again after each change of the sale. Returns the server's rejection. */
export function useCouponPrice(sale: Sale, onChange: (changes: Partial<Sale>) => void) {
  const { t } = useI18n()
  const isOnline = useNetwork()
  const [rejection, setRejection] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const [attempt, setAttempt] = useState(0)
  const latest = useRef(sale)
  useEffect(() => void (latest.current = sale))
  const { code = '', pricedFor = null } = sale.coupon ?? {}
  const basis = pricedFor === null ? '' : couponBasis(sale)
  const needsPrice = code.trim() !== '' && pricedFor !== null && pricedFor !== basis && conflictOf(sale) === null
  useEffect(() => {
    setRejection(null)
    const body = needsPrice ? couponBodyOf(latest.current) : null
    if (!body) return
    const stop = new AbortController()
    setBusy(true)
    const pricing = posCall<Answer>('/api/admin/quick-orders/coupon', { method: 'POST', body, signal: stop.signal }).then((answer) => {
      if (stop.signal.aborted) return
      setBusy(false)
      if (answer.ok && answer.body) return onChange({ coupon: toCoupon(answer.body, basis) })
      setRejection(answer.noResponse ? t('pos.coupon.needs-network') : (reasonOf(answer.body) ?? t('coupon.failed')))
    })
    noteCouponPricing(pricing)
    return () => {
      stop.abort()
      setBusy(false)
    }
    // oxlint-disable-next-line react/exhaustive-deps -- priced once for each sale and attempt, and when the network is back
  }, [code, needsPrice, basis, attempt, isOnline])
  function apply() {
    if (!sale.coupon || code.trim() === '') return
    onChange({ coupon: { ...sale.coupon, code: code.trim(), pricedFor: pricedFor ?? '' } })
    setAttempt(attempt + 1)
  }
  return { rejection, busy, apply }
}

function toCoupon({ code, discount, delivery_saved }: Priced, pricedFor: string): SaleCoupon {
  return { code, discount: takaToPoisha(discount), deliverySaved: takaToPoisha(delivery_saved), pricedFor }
}
