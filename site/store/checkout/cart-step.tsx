import { useEffect, useRef, useState } from 'react'
import { Button } from '#components/button.tsx'
import { AlertIcon } from '#components/icons.tsx'
import type { CartItem } from '#features/cart/rules.ts'
import { changeCart } from '#features/cart/ui/cart-store.ts'
import { OrderSummary } from '#features/orders/ui/order-summary.tsx'
import { useI18n } from '#page/page-context.tsx'
import { CartLine } from './cart-line.tsx'
import { EmptyCart } from './empty-cart.tsx'
import { DeliveryNotice, WeighingNotice } from './notices.tsx'
import type { Checkout } from './use-checkout.ts'
import { CouponBox } from './coupon-box.tsx'

/** Step 1: the products in the cart and their prices. */
export function CartStep({ checkout, warning, onProceed }: { checkout: Checkout; warning: string | null; onProceed: () => void }) {
  const { t } = useI18n()
  const [removed, setRemoved] = useState<{ item: CartItem; at: number } | null>(null)
  const { lines, quote, area, shop } = checkout

  const remove = (item: CartItem, at: number) => {
    setRemoved({ item, at })
    changeCart((items) => items.filter((one) => one.productId !== item.productId))
  }
  const undo = removed ? <RemovedNote removed={removed} onUndone={() => setRemoved(null)} /> : null
  if (lines.length === 0)
    return (
      <>
        {undo}
        <EmptyCart links={shop.links} onProceed={onProceed} />
      </>
    )
  return (
    <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-[1fr_22rem] lg:grid-rows-[auto_1fr] lg:gap-x-8">
      <div className="min-w-0 space-y-4">
        {undo}
        <ul className="divide-y divide-line rounded-card border border-line bg-milk">
          {lines.map((line, index) => (
            <CartLine
              key={line.item.productId}
              line={line}
              listOn={checkout.listDay.on}
              quote={quote}
              onRemove={() => remove(line.item, index)}
              onAccept={() => checkout.acceptPrice(line.item.productId)}
            />
          ))}
        </ul>
        {checkout.stale ? (
          <p role="status" className="text-sm text-stone">
            {t('cart.not-fresh')}
          </p>
        ) : null}
      </div>
      <div className="space-y-4 lg:sticky lg:top-24 lg:row-span-2">
        <OrderSummary quote={quote} couponCode={checkout.couponState.coupon?.code} areaName={area?.area_name ?? null} hasCouponBox>
          <div className="max-lg:hidden">
            <Warning text={warning} />
          </div>
          <Button size="large" full className="mt-4 max-lg:hidden" onClick={onProceed}>
            {t('cart.proceed')}
          </Button>
        </OrderSummary>
        <CouponBox checkout={checkout} />
      </div>
      <div className="space-y-4">
        <DeliveryNotice checkout={checkout} />
        <WeighingNotice shop={shop} lines={lines} />
      </div>
    </div>
  )
}

/** Why the next step is disabled, announced when it appears. */
export function Warning({ text }: { text: string | null }) {
  return (
    <div role="alert">
      {text === null ? null : (
        <p className="mt-3 flex items-start gap-2 font-semibold text-terracotta">
          <AlertIcon size={20} className="mt-0.5 shrink-0" />
          {text}
        </p>
      )}
    </div>
  )
}

function RemovedNote({ removed, onUndone }: { removed: { item: CartItem; at: number }; onUndone: () => void }) {
  const { t } = useI18n()
  const undo = useRef<HTMLButtonElement>(null)
  // The pressed button is gone with its line: the keyboard goes on here.
  useEffect(() => undo.current?.focus({ preventScroll: true }), [removed])
  const putBack = () => {
    onUndone()
    setTimeout(() => document.getElementById(`line-${removed.item.productId}`)?.focus())
    changeCart((items) =>
      items.some((one) => one.productId === removed.item.productId)
        ? items
        : [...items.slice(0, removed.at), removed.item, ...items.slice(removed.at)],
    )
  }
  return (
    <p role="status" className="flex flex-wrap items-center justify-between gap-x-3 rounded-card bg-leaf-100 py-1 ps-4 pe-1">
      {t('cart.removed', { name: removed.item.productName })}
      <Button ref={undo} kind="quiet" className="underline" onClick={putBack}>
        {t('cart.undo')}
      </Button>
    </p>
  )
}
