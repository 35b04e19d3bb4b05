import { useCallback, useEffect, useRef, useState } from 'react'
import { type CartItem, quantityMilli } from '#features/cart/rules.ts'
import { type AppliedCoupon, couponOf } from '#features/pricing/coupons/coupon-response.ts'
import { normalizeCouponCode } from '#features/pricing/coupons/rules.ts'
import { call } from '#page/api-client.ts'
import { useI18n } from '#page/page-context.tsx'

/** Several quick changes of the cart cause one check. */
const DEBOUNCE_MS = 500
/** The coupon does not apply; no coupon has such a code. */
const REJECTIONS = [400, 422]

interface CouponOptions {
  isSignedIn: boolean
  items: readonly CartItem[]
  /** The applied code, or a code to apply after signing in; stored in the draft. */
  code: string | null
  onCode: (code: string | null) => void
  ready: boolean
}

/**
 * The coupon of a cart. A stored code is validated when the page opens and when the cart changes; an invalid one is removed, and `error`
 * has the reason. Without a response the code stays, and the order asks for it, so that nobody pays more for a lost answer.
 */
export function useCoupon({ isSignedIn, items, code, onCode, ready }: CouponOptions) {
  const { t } = useI18n()
  /** The applied coupon, with the cart for which it was validated. */
  const [coupon, setCoupon] = useState<(AppliedCoupon & { cart: string }) | null>(null)
  const [error, setError] = useState<string | null>(null)
  const [wasRemoved, setWasRemoved] = useState(false)
  const [busy, setBusy] = useState(false)
  const [isSignedOut, setSignedOut] = useState(!isSignedIn)
  const requestCount = useRef(0)
  const cart = JSON.stringify(items.map((item) => ({ product_id: item.productId, quantity: quantityMilli(item) / 1000 })))

  const clear = useCallback(
    (reason: string | null, wasStored = true) => {
      requestCount.current += 1
      setWasRemoved(wasStored)
      setCoupon(null)
      setError(reason)
      onCode(null)
    },
    [onCode],
  )

  /** Validates a code on the server. `sign-in`: only customers may use it. Null: answered, in the state. */
  const check = useCallback(
    async function validate(typedCode: string): Promise<'sign-in' | 'unknown' | null> {
      const request = (requestCount.current += 1)
      const body = { code: typedCode, cart_items: JSON.parse(cart) as unknown, is_new_customer: false }
      const answer = await call<{ error?: unknown } | null>('/coupons/validate', { method: 'POST', body })
      if (request !== requestCount.current) return 'unknown'
      const found = answer.ok ? couponOf(answer.body) : null
      if (found !== null) {
        setCoupon({ ...found, cart })
        // A recheck leaves the error of a code that was refused beside this one.
        if (coupon === null) setError(null)
        onCode(found.code)
        return null
      }
      if (answer.status === 401) {
        setCoupon(null)
        setSignedOut(true)
        onCode(typedCode)
        return 'sign-in'
      }
      // Any other status, as of too many requests, is no answer about the coupon.
      if (answer.noResponse || !REJECTIONS.includes(answer.status)) return 'unknown'
      const message = answer.body?.error
      const reason = answer.status === 400 && typeof message === 'string' ? message : t('coupon.failed')
      // A code that is tried beside the applied coupon leaves that one.
      if (coupon && coupon.code !== normalizeCouponCode(typedCode)) {
        setError(reason)
        // This request replaced that of the applied coupon for a changed cart.
        if (coupon.cart !== cart) void validate(coupon.code)
      } else clear(reason, code !== null)
      return null
    },
    [cart, clear, code, coupon, onCode, t],
  )

  const recheck = () => code !== null && void check(code)
  const latest = useRef(recheck)
  latest.current = recheck
  const isEmpty = items.length === 0
  useEffect(() => {
    if (!ready || !isSignedIn || isEmpty) return
    const first = requestCount.current === 0
    const timer = setTimeout(() => latest.current(), first ? 0 : DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [cart, ready, isSignedIn, isEmpty])

  async function apply(typed: string): ReturnType<typeof check> {
    if (!isSignedIn) {
      // Stored until the customer returns signed in.
      onCode(typed)
      return 'sign-in'
    }
    setBusy(true)
    setError(null)
    const outcome = await check(typed)
    setBusy(false)
    if (outcome === 'unknown') {
      setWasRemoved(false)
      setError(t('coupon.failed'))
    }
    return outcome
  }

  /** The code that an order asks for: the applied one, or a stored one that the shop has not answered about. */
  const requestedCode = coupon?.code ?? (isSignedOut ? null : code)
  return {
    coupon,
    requestedCode,
    error,
    /** The error is about a code that was applied, or stored to be: not about one that was only typed. */
    wasRemoved,
    busy,
    apply,
    clear,
    dismissError: () => setError(null),
    recheck,
  }
}
