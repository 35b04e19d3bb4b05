import { useId, useRef } from 'react'
import { Button } from '#components/button.tsx'
import { CONTROL } from '#components/field.tsx'
import { MAX_TYPED_COUPON_LENGTH } from '#lib/format/input-limits.ts'
import { formatTaka, poisha, sum } from '#lib/format/money.ts'
import { useI18n } from '#page/page-context.tsx'
import { conflictOf, NO_CODE } from './sale-coupon.ts'
import type { Sale, SaleState } from './sale.ts'
import { useCouponPrice } from './use-coupon-price.ts'

interface CouponFieldProps {
  sale: Sale
  state: SaleState
  /** The error of the last submit. */
  error: string | undefined
  onChange: (changes: Partial<Sale>) => void
}

/** The coupon of the sale: a button until one is entered. Enter or the button checks the code. */
export function CouponField(props: CouponFieldProps) {
  const { t } = useI18n()
  const isRemoved = useRef(false)
  const remove = () => {
    isRemoved.current = true
    props.onChange({ coupon: null })
  }
  if (props.sale.coupon) return <OpenCoupon {...props} onRemove={remove} />
  return (
    <p className="text-end">
      <Button
        ref={(button) => {
          // The pressed cross goes with the field.
          if (button && isRemoved.current) button.focus()
          isRemoved.current = false
        }}
        kind="quiet"
        size="small"
        className="min-h-11"
        onClick={() => props.onChange({ coupon: NO_CODE })}
      >
        {t('pos.coupon')}
      </Button>
    </p>
  )
}

function OpenCoupon({ sale, state, error, onChange, onRemove }: CouponFieldProps & { onRemove: () => void }) {
  const { t, lang } = useI18n()
  const errorId = useId()
  const { rejection, busy, apply } = useCouponPrice(sale, onChange)
  const conflict = conflictOf(sale)
  const { coupon } = state
  const problem = conflict ? t(`pos.coupon.conflict.${conflict}`) : coupon ? null : (rejection ?? error ?? null)
  return (
    <div>
      <div className="flex items-center gap-2">
        <span className="w-24 shrink-0 leading-tight">
          <label htmlFor="pos-coupon" className="block font-semibold">
            {t('pos.coupon')}
          </label>
          <span role="status" className="tabular-nums block text-sm leading-tight text-leaf-700">
            {coupon ? formatTaka(poisha(-sum([coupon.discount, coupon.deliverySaved])), lang) : ''}
          </span>
        </span>
        <input
          id="pos-coupon"
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- opened by a click
          autoFocus={sale.coupon?.code === ''}
          className={`${CONTROL} grow`}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          enterKeyHint="done"
          maxLength={MAX_TYPED_COUPON_LENGTH}
          aria-invalid={problem !== null || undefined}
          aria-describedby={problem ? errorId : undefined}
          value={sale.coupon?.code ?? ''}
          onChange={({ target }) => onChange({ coupon: { ...NO_CODE, code: target.value } })}
          onKeyDown={(event) => {
            if (event.key === 'Enter') apply()
          }}
        />
        {coupon ? null : (
          <Button
            kind="secondary"
            size="small"
            className="min-h-11 shrink-0"
            busy={busy}
            onClick={({ detail }) => {
              apply()
              // The button goes with success.
              if (detail === 0) document.getElementById('pos-coupon')?.focus()
            }}
          >
            {t('coupon.apply')}
          </Button>
        )}
        <Button kind="quiet" size="small" className="min-h-11 min-w-11 shrink-0" aria-label={t('coupon.remove')} onClick={onRemove}>
          ×
        </Button>
      </div>
      <p id={errorId} role="alert" className="text-end text-sm font-semibold text-terracotta">
        {problem}
      </p>
    </div>
  )
}
