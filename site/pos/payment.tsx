import { useId } from 'react'
import { CONTROL, TextField } from '#components/field.tsx'
import { ZERO } from '#lib/format/money.ts'
import { useI18n } from '#page/page-context.tsx'
import { type Sale, type Standing, typedAmount } from './sale.ts'

interface PosPaymentProps {
  sale: Sale
  standing: Standing
  /** Of the last try to place it. */
  errors: Record<string, string[]>
  /** Why the discount cannot be given now. */
  discountRefusal: string | null
  onChange: (changes: Partial<Sale>) => void
}

/** Said for the first time it is seen, also above the bar at the foot of a phone. */
const bringIntoView = (said: HTMLElement | null) => said?.scrollIntoView({ block: 'nearest' })

/** How it is paid: cash fills itself with what bKash and bank leave, until it is typed. */
export function PosPayment({ sale, standing, errors, discountRefusal, onChange }: PosPaymentProps) {
  const { t } = useI18n()
  const own = standing.ownCash > 0 ? (standing.ownCash / 100).toFixed(2) : ''
  return (
    <section aria-labelledby="till-payment" className="rounded-card border border-line bg-milk p-4">
      <h2 id="till-payment" className="mb-3 flex items-center justify-between text-lg">
        {t('pos.payment')}
        <kbd className="kbd max-lg:hidden">F6</kbd>
      </h2>
      <div className="space-y-2">
        <Amount
          id="till-cash"
          label={t('pos.cash')}
          note={sale.cash === null ? t('pos.cash-auto') : t('pos.cash-manual')}
          value={sale.cash ?? own}
          onChange={(cash) => onChange({ cash })}
          onReset={sale.cash === null ? undefined : () => onChange({ cash: null })}
        />
        <Amount id="till-bkash" label={t('pos.bkash')} value={sale.bkash} onChange={(bkash) => onChange({ bkash })} />
        <TransactionId
          means="bkash"
          sale={sale}
          error={errors['transaction_ids.bkash']?.[0]}
          onChange={(bkashId) => onChange({ bkashId })}
        />
        <Amount id="till-bank" label={t('pos.bank')} value={sale.bank} onChange={(bank) => onChange({ bank })} />
        <TransactionId means="bank" sale={sale} error={errors['transaction_ids.bank']?.[0]} onChange={(bankId) => onChange({ bankId })} />
        <Amount id="till-discount" label={t('pos.discount')} value={sale.discount} onChange={(discount) => onChange({ discount })} />
        <div role="status" className="text-end text-sm font-semibold text-terracotta">
          {errors.discount || discountRefusal ? (
            <p ref={bringIntoView} className="scroll-mb-24">
              {errors.discount?.[0] ?? discountRefusal}
            </p>
          ) : null}
        </div>
      </div>
    </section>
  )
}

interface TransactionIdProps {
  means: 'bkash' | 'bank'
  sale: Sale
  error: string | undefined
  onChange: (text: string) => void
}

/** What the wallet or bank calls the payment: the closing is checked against it. */
function TransactionId({ means, sale, error, onChange }: TransactionIdProps) {
  const { t } = useI18n()
  if ((typedAmount(sale[means]) ?? ZERO) <= 0) return null
  return (
    <TextField
      id={`till-${means}-id`}
      label={t('pos.transaction', { means: t(`pos.${means}`) })}
      optionalLabel={t('pos.optional')}
      autoComplete="off"
      autoCapitalize="characters"
      spellCheck={false}
      maxLength={60}
      className="figures"
      value={sale[`${means}Id`]}
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
            inputMode="decimal"
            autoComplete="off"
            maxLength={14}
            placeholder="0.00"
            aria-invalid={isWrong || undefined}
            aria-describedby={note || isWrong ? noteId : undefined}
            className={`${CONTROL} figures text-end text-lg ${onReset ? 'ps-12' : ''}`}
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
