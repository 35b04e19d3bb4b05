import { MAX_TYPED_TRANSACTION_ID_LENGTH } from '#lib/format/input-limits.ts'
import { useId } from 'react'
import { CONTROL, TextField } from '#components/field.tsx'
import { TAKA_INPUT } from '#components/taka-field.tsx'
import { ZERO } from '#lib/format/money.ts'
import { useI18n } from '#page/page-context.tsx'
import { type Sale, type SaleState, typedAmount } from './sale.ts'

interface PosPaymentProps {
  sale: Sale
  state: SaleState
  /** Errors of the last submit. */
  errors: Record<string, string[]>
  /** Why the discount cannot be given now. */
  discountRejection: string | null
  onChange: (changes: Partial<Sale>) => void
}

/** Scrolls a new error into view, above the fixed bar of a phone. */
const scrollIntoView = (element: HTMLElement | null) => element?.scrollIntoView({ block: 'nearest' })

/** The payment: cash defaults to the rest after bKash and bank, until it is typed. */
export function PosPayment({ sale, state, errors, discountRejection, onChange }: PosPaymentProps) {
  const { t } = useI18n()
  const defaultCash = state.defaultCash > 0 ? (state.defaultCash / 100).toFixed(2) : ''
  return (
    <section aria-labelledby="pos-payment" className="rounded-card border border-line bg-milk p-4">
      <h2 id="pos-payment" className="mb-3 flex items-center justify-between text-lg">
        {t('pos.payment')}
        <kbd className="kbd max-lg:hidden">F6</kbd>
      </h2>
      <div className="space-y-2">
        <Amount
          id="pos-cash"
          label={t('pos.cash')}
          note={sale.cash === null ? t('pos.cash-auto') : t('pos.cash-manual')}
          value={sale.cash ?? defaultCash}
          onChange={(cash) => onChange({ cash })}
          onReset={sale.cash === null ? undefined : () => onChange({ cash: null })}
        />
        <Amount id="pos-bkash" label={t('pos.bkash')} value={sale.bkash} onChange={(bkash) => onChange({ bkash })} />
        <TransactionId
          method="bkash"
          sale={sale}
          error={errors['transaction_ids.bkash']?.[0]}
          onChange={(bkashId) => onChange({ bkashId })}
        />
        <Amount id="pos-bank" label={t('pos.bank')} value={sale.bank} onChange={(bank) => onChange({ bank })} />
        <TransactionId method="bank" sale={sale} error={errors['transaction_ids.bank']?.[0]} onChange={(bankId) => onChange({ bankId })} />
        <Amount id="pos-discount" label={t('pos.discount')} value={sale.discount} onChange={(discount) => onChange({ discount })} />
        <div role="status" className="text-end text-sm font-semibold text-terracotta">
          {errors.discount || discountRejection ? (
            <p ref={scrollIntoView} className="scroll-mb-24">
              {errors.discount?.[0] ?? discountRejection}
            </p>
          ) : null}
        </div>
      </div>
    </section>
  )
}

interface TransactionIdProps {
  method: 'bkash' | 'bank'
  sale: Sale
  error: string | undefined
  onChange: (text: string) => void
}

/** The transaction id of the wallet or bank, checked when the shift is closed. */
function TransactionId({ method, sale, error, onChange }: TransactionIdProps) {
  const { t } = useI18n()
  if ((typedAmount(sale[method]) ?? ZERO) <= 0) return null
  return (
    <TextField
      id={`pos-${method}-id`}
      label={t('pos.transaction', { method: t(`pos.${method}`) })}
      optionalLabel={t('pos.optional')}
      autoComplete="off"
      autoCapitalize="characters"
      spellCheck={false}
      maxLength={MAX_TYPED_TRANSACTION_ID_LENGTH}
      className="tabular-nums"
      value={sale[`${method}Id`]}
      error={error}
      onChange={({ target }) => onChange(target.value)}
    />
  )
}

interface AmountProps {
  id: string
  label: string
  note?: string
  value: string
  onChange: (text: string) => void
  onReset?: (() => void) | undefined
}

function Amount({ id, label, note, value, onChange, onReset }: AmountProps) {
  const { t } = useI18n()
  const noteId = useId()
  const isWrong = typedAmount(value) === null
  return (
    <div>
      <div className="flex items-center gap-3">
        <label htmlFor={id} className="w-24 shrink-0 font-semibold">
          {label}
        </label>
        <span className="relative grow">
          <input
            id={id}
            {...TAKA_INPUT}
            placeholder="0.00"
            aria-invalid={isWrong || undefined}
            aria-describedby={note || isWrong ? noteId : undefined}
            className={`${CONTROL} tabular-nums text-end text-lg ${onReset ? 'ps-12' : ''}`}
            value={value}
            onChange={({ target }) => onChange(target.value)}
            onFocus={({ target }) => target.select()}
          />
          {onReset ? (
            <button
              type="button"
              aria-label={t('pos.reset-cash')}
              title={t('pos.reset-cash')}
              className="absolute start-0.5 top-1/2 grid size-11 -translate-y-1/2 place-items-center rounded-card text-xl hover:bg-leaf-100"
              onClick={onReset}
            >
              ↺
            </button>
          ) : null}
        </span>
      </div>
      {note || isWrong ? (
        <p id={noteId} className={`text-end text-sm ${isWrong ? 'font-semibold text-terracotta' : 'text-stone'}`}>
          {isWrong ? t('pos.amount-invalid') : note}
        </p>
      ) : null}
    </div>
  )
}
