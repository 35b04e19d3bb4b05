import { useCallback, useEffect, useRef, useState } from 'react'
import { type CartItem, quantityMilli } from '#features/cart/rules.ts'
import { type AppliedCoupon, couponOf } from '#features/pricing/coupons/coupon-response.ts'
import { call } from '#page/api-client.ts'
import { useI18n } from '#page/page-context.tsx'

/** A shopper who presses plus five times changes the cart once. */
const SETTLE_MS = 500

interface Wish {
  isSignedIn: boolean
  items: readonly CartItem[]
  /** The code that is applied, or shall be when it can; kept in the draft. */
  code: string | null
  onCode: (code: string | null) => void
  ready: boolean
}

/**
 * The voucher of a cart. One that was kept is checked again when the page opens (so after signing in, too) and when the cart
 * changes; one that no longer holds is cleared, and `error` says why. When the shop cannot be asked it stays: the order decides.
 */
export function useCoupon({ isSignedIn, items, code, onCode, ready }: Wish) {
  const { t } = useI18n()
  const [coupon, setCoupon] = useState<AppliedCoupon | null>(null)
  const [error, setError] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const asked = useRef(0)
  const cart = JSON.stringify(items.map((item) => ({ product_id: item.productId, quantity: quantityMilli(item) / 1000 })))

  const clear = useCallback(
    (why: string | null) => {
      asked.current += 1
      setCoupon(null)
      setError(why)
      onCode(null)
    },
    [onCode],
  )

  /** Asks the shop about a code. `sign-in`: only customers may use it. */
  const check = useCallback(
    async (wanted: string): Promise<'applied' | 'refused' | 'sign-in' | 'unknown'> => {
      const turn = (asked.current += 1)
      const body = { code: wanted, cart_items: JSON.parse(cart) as unknown, is_new_customer: false }
      const answer = await call<{ error?: unknown } | null>('/coupons/validate', { method: 'POST', body })
      if (turn !== asked.current) return 'unknown'
      const found = answer.ok ? couponOf(answer.body) : null
      if (found !== null) {
        setCoupon(found)
        setError(null)
        onCode(found.code)
        return 'applied'
      }
      if (answer.status === 401) {
        setCoupon(null)
        onCode(wanted)
        return 'sign-in'
      }
      const said = answer.body?.error
      if (answer.status === 400) clear(typeof said === 'string' ? said : t('voucher.failed'))
      return answer.status === 400 ? 'refused' : 'unknown'
    },
    [cart, clear, onCode, t],
  )

  const latest = useRef({ check, code })
  latest.current = { check, code }
  const isEmpty = items.length === 0
  useEffect(() => {
    if (!ready || !isSignedIn || isEmpty) return
    const first = asked.current === 0
    const timer = setTimeout(() => latest.current.code !== null && void latest.current.check(latest.current.code), first ? 0 : SETTLE_MS)
    return () => clearTimeout(timer)
  }, [cart, ready, isSignedIn, isEmpty])

  async function apply(typed: string): Promise<'sign-in' | null> {
    if (!isSignedIn) {
      // Kept until the shopper comes back signed in.
      onCode(typed)
      return 'sign-in'
    }
    setBusy(true)
    setError(null)
    const outcome = await check(typed)
    setBusy(false)
    if (outcome === 'unknown') setError(t('voucher.failed'))
    return outcome === 'sign-in' ? outcome : null
  }

  return { coupon, error, busy, apply, clear, dismissError: () => setError(null), recheck: () => code !== null && void check(code) }
}

export type Voucher = ReturnType<typeof useCoupon>
