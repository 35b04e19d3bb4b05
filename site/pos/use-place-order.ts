import { useLayoutEffect, useRef } from 'react'
import { beep } from './beep.ts'
import { couponPricing } from './coupon-pricing.ts'
import { getSaleState, type PosProblem, type Sale, type SaleShop } from './sale.ts'
import { couponBasis } from './sale-coupon.ts'
import type { SaleStore } from './sale-store.ts'

interface PlaceOrderOptions {
  store: SaleStore
  shop: SaleShop
  submission: { submit: () => Promise<void> }
  focusProblem: (problem: PosProblem) => void
}

/**
 * By key: submits the sale, or leads to what is missing. React may not have rendered the last scan yet. A coupon that is being priced is
 * waited for; the sale is submitted when it is still the same.
 */
export function usePlaceOrder({ store, shop, submission, focusProblem }: PlaceOrderOptions): () => void {
  const latest = useRef(place)
  useLayoutEffect(() => void (latest.current = place))
  const isWaiting = useRef(false)
  function place() {
    const sale = store.get()
    const { problem } = getSaleState(sale, shop)
    if (store.isSending) return
    if (problem === null) return void submission.submit()
    const pricing = problem === 'coupon' ? couponPricing() : null
    if (pricing) return void placeAfter(pricing, sale)
    if (problem !== 'empty') beep('rejected')
    focusProblem(problem)
  }
  async function placeAfter(pricing: Promise<unknown>, sale: Sale) {
    if (isWaiting.current) return
    isWaiting.current = true
    await pricing
    isWaiting.current = false
    const now = store.get()
    if (now.key !== sale.key || couponBasis(now) !== couponBasis(sale)) return beep('rejected')
    // In a task of its own: the render of the price has set the latest function.
    setTimeout(() => latest.current())
  }
  return place
}
