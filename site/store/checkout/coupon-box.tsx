import { TEXT_LIMIT } from '#lib/format/text.ts'
import { type FormEvent, useState } from 'react'
import { Button } from '#components/button.tsx'
import { LaterDialog } from '#components/later-dialog.tsx'
import { TextField } from '#components/field.tsx'
import { CheckIcon, InfoIcon } from '#components/icons.tsx'
import { normalizeCouponCode } from '#features/pricing/coupons/rules.ts'
import { couponEffect } from '#features/pricing/refusal-text.ts'
import type { Coupon } from '#features/pricing/rules.ts'
import { formatTaka } from '#lib/format/money.ts'
import { formatNumber } from '#lib/format/numbers.ts'
import { useI18n } from '#page/page-context.tsx'
import type { Checkout } from './use-checkout.ts'

/** The coupon code; guests are asked to sign in first. */
export function CouponBox({ checkout }: { checkout: Checkout }) {
  const { t } = useI18n()
  const { couponState, draft, lines, quote } = checkout
  const { coupon, error, busy } = couponState
  const [code, setCode] = useState(draft.couponCode ?? '')
  const [askLogin, setAskLogin] = useState(false)
  const effect = couponEffect(quote)
  const isApplied = coupon !== null && coupon.code === normalizeCouponCode(code)

  const apply = async (event: FormEvent) => {
    event.preventDefault()
    if (code.trim() === '' || isApplied || lines.length === 0) return
    setAskLogin((await couponState.apply(code.trim())) === 'sign-in')
  }
  const remove = () => {
    couponState.clear(null)
    setCode('')
    // The button goes with the coupon.
    document.getElementById('coupon')!.focus()
  }

  return (
    <section aria-labelledby="coupon-title" className="stitch rounded-card bg-milk p-4 text-leaf-800">
      <h2 id="coupon-title" className="text-lg text-ink">
        {t('coupon.title')}
      </h2>
      <form onSubmit={apply} noValidate className="mt-1 text-ink">
        <TextField
          id="coupon"
          label={t('coupon.label')}
          value={code}
          error={error}
          maxLength={TEXT_LIMIT}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          enterKeyHint="done"
          onChange={(event) => {
            setCode(event.target.value)
            couponState.dismissError()
          }}
        />
        <Button type="submit" kind="secondary" full className="mt-2.5" busy={busy} disabled={code.trim() === '' || isApplied}>
          {t('coupon.apply')}
        </Button>
      </form>
      <div role="status">
        {isApplied ? (
          effect === 'coupon.applied' ? (
            <p className="mt-2.5 flex items-center gap-2 font-semibold text-leaf-600">
              <CheckIcon /> {t(effect)}
            </p>
          ) : (
            <p className="mt-2.5 flex items-start gap-2 text-ink">
              <InfoIcon size={20} className="mt-0.5 shrink-0 text-stone" /> {t(effect)}
            </p>
          )
        ) : null}
      </div>
      {coupon === null ? null : (
        <div className="mt-2 flex items-center justify-between gap-3 rounded-tag bg-leaf-100 py-1 ps-3 text-ink">
          <p className="min-w-0">
            <b className="block break-all">{coupon.code}</b>
            <span className="text-sm">
              <CouponGift coupon={coupon.coupon} />
            </span>
          </p>
          <Button kind="quiet" size="small" className="shrink-0 underline" onClick={remove}>
            {t('coupon.remove')}
          </Button>
        </div>
      )}
      <LaterDialog
        open={askLogin}
        onClose={() => setAskLogin(false)}
        title={t('coupon.login-title')}
        closeLabel={t('shell.close')}
        actions={<Button onClick={() => location.assign('/login?next=/cart')}>{t('coupon.ok')}</Button>}
      >
        <p>{t('coupon.login-text')}</p>
      </LaterDialog>
    </section>
  )
}

/** The effect of a coupon in a few words. */
function CouponGift({ coupon: { kind, percentBp, maxDiscount, value } }: { coupon: Coupon }) {
  const { t, lang } = useI18n()
  if (kind === 'others') return t('coupon.gives-taka', { amount: formatTaka(value, lang) })
  if (kind === 'free_shipping')
    return value === 0 ? t('coupon.gives-delivery') : t('coupon.gives-cheaper', { amount: formatTaka(value, lang) })
  const percent = formatNumber(percentBp / 100, lang)
  return maxDiscount ? t('coupon.gives-capped', { percent, amount: formatTaka(maxDiscount, lang) }) : t('coupon.gives-percent', { percent })
}
