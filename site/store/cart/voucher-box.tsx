import { type FormEvent, useEffect, useState } from 'react'
import { Button } from '#components/button.tsx'
import { Dialog } from '#components/dialog.tsx'
import { TextField } from '#components/field.tsx'
import { CheckIcon } from '#components/icons.tsx'
import { quantityMilli } from '#features/cart/rules.ts'
import type { Coupon } from '#features/pricing/rules.ts'
import { readTaka, ZERO } from '#lib/money.ts'
import { call } from '#site/api-client.ts'
import { useI18n, useShell } from '#site/app-root.tsx'
import type { Checkout } from './use-checkout.ts'

/** A voucher code; guests are asked to sign in first. */
export function VoucherBox({ checkout }: { checkout: Checkout }) {
  const { t } = useI18n()
  const { user } = useShell()
  const { coupon, setCoupon, quote, lines } = checkout
  const [code, setCode] = useState('')
  const [error, setError] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const [askLogin, setAskLogin] = useState(false)
  const applied = coupon !== null && coupon.code === code.trim()

  // A coupon that speaks of nothing in the cart any more is cleared.
  useEffect(() => {
    if (quote.coupon === 'not-applicable') setCoupon(null)
  }, [quote.coupon, setCoupon])

  const apply = async (event: FormEvent) => {
    event.preventDefault()
    if (code.trim() === '' || applied || lines.length === 0) return
    if (user === null) return setAskLogin(true)
    setBusy(true)
    setError(null)
    const cartItems = lines.map(({ item }) => ({ product_id: item.productId, quantity: quantityMilli(item) / 1000 }))
    const answer = await call<Record<string, unknown>>('/coupons/validate', {
      method: 'POST',
      body: { code: code.trim(), cart_items: cartItems, is_new_customer: false },
    })
    setBusy(false)
    if (answer.ok) return setCoupon({ code: code.trim(), coupon: couponOf(answer.body) })
    if (answer.status === 401) return setAskLogin(true)
    const said = answer.body?.error
    setError(answer.status === 400 && typeof said === 'string' ? said : t('voucher.failed'))
  }

  return (
    <section aria-labelledby="voucher-title" className="stitch rounded-card bg-milk p-4 text-leaf-800">
      <h2 id="voucher-title" className="text-lg text-ink">
        {t('voucher.title')}
      </h2>
      <form onSubmit={apply} noValidate className="mt-1 text-ink">
        <TextField
          id="voucher"
          label={t('voucher.label')}
          value={code}
          error={error}
          maxLength={255}
          autoComplete="off"
          autoCapitalize="characters"
          enterKeyHint="done"
          onChange={(event) => {
            setCode(event.target.value)
            setError(null)
          }}
        />
        <Button type="submit" kind="secondary" full className="mt-2.5" busy={busy} disabled={code.trim() === '' || applied}>
          {t('voucher.apply')}
        </Button>
      </form>
      <div role="status">
        {applied ? (
          <p className="mt-2 flex flex-wrap items-center gap-2 font-semibold text-leaf-600">
            <CheckIcon /> {t('voucher.applied')}
            <Button kind="quiet" size="small" className="underline" onClick={() => setCoupon(null)}>
              {t('voucher.remove')}
            </Button>
          </p>
        ) : null}
      </div>
      <Dialog
        open={askLogin}
        onClose={() => setAskLogin(false)}
        title={t('voucher.login-title')}
        closeLabel={t('shell.close')}
        actions={<Button onClick={() => location.assign('/login?next=/cart')}>{t('voucher.ok')}</Button>}
      >
        <p>{t('voucher.login-text')}</p>
      </Dialog>
    </section>
  )
}

/** A coupon as the shop describes it, as the rules take it. */
function couponOf(said: Record<string, unknown>): Coupon {
  const number = (value: unknown) => (typeof value === 'number' || typeof value === 'string' ? Number(value) || 0 : 0)
  const kind = said.coupon_discount_type
  const listed = Array.isArray(said.applicable_products) ? said.applicable_products.map(number) : []
  return {
    kind: kind === 'percentage' || kind === 'free_shipping' ? kind : 'others',
    percentBp: Math.round(number(said.coupon_percentage) * 100),
    maxDiscount: said.max_discount_amount === null ? null : readTaka(number(said.max_discount_amount)),
    value: readTaka(number(said.coupon_value)) ?? ZERO,
    appliesToAll: said.applies_to_all === true,
    productIds: listed,
  }
}
