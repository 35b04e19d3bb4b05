import { type FormEvent, useState } from 'react'
import { Button } from '#components/button.tsx'
import { LaterDialog } from '#components/later-dialog.tsx'
import { TextField } from '#components/field.tsx'
import { CheckIcon, InfoIcon } from '#components/icons.tsx'
import { normaliseCode } from '#features/pricing/coupons/rules.ts'
import { couponEffect } from '#features/pricing/refusal-text.ts'
import type { Coupon } from '#features/pricing/rules.ts'
import { formatTaka } from '#lib/format/money.ts'
import { formatNumber } from '#lib/format/numbers.ts'
import { useI18n } from '#page/page-context.tsx'
import type { Checkout } from './use-checkout.ts'

/** A voucher code; guests are asked to sign in first. */
export function CouponBox({ checkout }: { checkout: Checkout }) {
  const { t } = useI18n()
  const { voucher, draft, lines, quote } = checkout
  const { coupon, error, busy } = voucher
  const [code, setCode] = useState(draft.voucher ?? '')
  const [askLogin, setAskLogin] = useState(false)
  const effect = couponEffect(quote)
  const said = coupon !== null && coupon.code === normaliseCode(code)

  const apply = async (event: FormEvent) => {
    event.preventDefault()
    if (code.trim() === '' || said || lines.length === 0) return
    setAskLogin((await voucher.apply(code.trim())) === 'sign-in')
  }
  const remove = () => {
    voucher.clear(null)
    setCode('')
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
          spellCheck={false}
          enterKeyHint="done"
          onChange={(event) => {
            setCode(event.target.value)
            voucher.dismissError()
          }}
        />
        <Button type="submit" kind="secondary" full className="mt-2.5" busy={busy} disabled={code.trim() === '' || said}>
          {t('voucher.apply')}
        </Button>
      </form>
      <div role="status">
        {said ? (
          effect === 'voucher.applied' ? (
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
            {t('voucher.remove')}
          </Button>
        </div>
      )}
      <LaterDialog
        open={askLogin}
        onClose={() => setAskLogin(false)}
        title={t('voucher.login-title')}
        closeLabel={t('shell.close')}
        actions={<Button onClick={() => location.assign('/login?next=/cart')}>{t('voucher.ok')}</Button>}
      >
        <p>{t('voucher.login-text')}</p>
      </LaterDialog>
    </section>
  )
}

/** What a coupon gives, in a few words. */
function CouponGift({ coupon: { kind, percentBp, maxDiscount, value } }: { coupon: Coupon }) {
  const { t, lang } = useI18n()
  if (kind === 'others') return t('voucher.gives-taka', { amount: formatTaka(value, lang) })
  if (kind === 'free_shipping')
    return value === 0 ? t('voucher.gives-delivery') : t('voucher.gives-cheaper', { amount: formatTaka(value, lang) })
  const percent = formatNumber(percentBp / 100, lang)
  return maxDiscount
    ? t('voucher.gives-capped', { percent, amount: formatTaka(maxDiscount, lang) })
    : t('voucher.gives-percent', { percent })
}
