import { Fragment, memo } from 'react'
import { MAX_TYPED_TRANSACTION_ID_LENGTH } from '#lib/format/input-limits.ts'
import { TextField } from '#components/field.tsx'
import { goodsAfterLineDiscounts, isPercentage, readDiscount } from '#features/pos/discount-rules.ts'
import { type ExtraMethod, NONCASH_METHODS, type NoncashMethod, noncashMethods } from '#features/pos/rules.ts'
import { formatTaka, ZERO } from '#lib/format/money.ts'
import { useI18n } from '#page/page-context.tsx'
import { AccountTender } from './account-tender.tsx'
import { AmountField } from './amount-field.tsx'
import { CouponField } from './coupon-field.tsx'
import { showAppeared } from './focus-field.ts'
import { PercentButton } from './line-discount.tsx'
import { QuickTenderButtons } from './quick-tender-buttons.tsx'
import { useProblemText } from './sale-problem.ts'
import { type Sale, type SaleState, typedAmount } from './sale.ts'

interface PosPaymentProps {
  sale: Sale
  state: SaleState
  /** Errors of the last submit. */
  errors: Record<string, string[]>
  /** Why the discount cannot be given now. */
  discountRejection: string | null
  /** The extra payment methods that are switched on. */
  methods: readonly ExtraMethod[]
  onChange: (changes: Partial<Sale>) => void
}

/** The payment: cash defaults to the rest after the other methods, until it is typed. */
export function PosPayment({ sale, state, errors, discountRejection, methods, onChange }: PosPaymentProps) {
  const { t } = useI18n()
  const problemText = useProblemText()
  const issue = sale.lines.length > 0 ? state.paymentIssue : null
  const defaultCash = state.defaultCash > 0 ? (state.defaultCash / 100).toFixed(2) : ''
  return (
    <section aria-labelledby="pos-payment" className="rounded-card border border-line bg-milk p-4 lg:px-3 lg:py-2">
      <h2 id="pos-payment" className="mb-3 flex lg:sr-only items-center justify-between text-lg">
        {t('pos.payment')}
        <kbd className="kbd max-lg:hidden">F6</kbd>
      </h2>
      <div className="space-y-2 lg:space-y-1">
        <Amount
          id="pos-cash"
          label={t('pos.cash')}
          note={sale.cash === null ? t('pos.cash-auto') : t('pos.cash-manual')}
          value={sale.cash ?? defaultCash}
          onChange={(cash) => onChange({ cash })}
          onReset={sale.cash === null ? undefined : () => onChange({ cash: null })}
        />
        <QuickTenderButtons due={state.defaultCash} cash={sale.cash} onChange={(cash) => onChange({ cash })} />
        <NoncashPayments {...{ sale, errors, methods, onChange }} />
        <AccountTender
          sale={sale}
          state={state}
          error={errors.on_account?.[0]}
          creditError={errors.store_credit?.[0]}
          onChange={onChange}
        />
        <p role="status" data-payment-problem className="min-h-6 text-end leading-6 font-semibold text-terracotta">
          {issue === 'due' || issue === 'not-from-cash' ? problemText({ problem: issue, due: state.due }) : ''}
        </p>
        <Discount sale={sale} onChange={onChange} />
        <CouponField key={sale.key} sale={sale} state={state} error={errors.coupon?.[0]} onChange={onChange} />
        <div role="status" className="text-end text-sm font-semibold text-terracotta">
          {errors.discount || discountRejection ? (
            <p ref={showAppeared} className="scroll-mb-24">
              {errors.discount?.[0] ?? discountRejection}
            </p>
          ) : null}
        </div>
      </div>
    </section>
  )
}

/** Wallets, bank and card. Many stand in two columns, so that the pane of a small desktop need not scroll. */
function NoncashPayments({ sale, errors, methods, onChange }: Pick<PosPaymentProps, 'sale' | 'errors' | 'methods' | 'onChange'>) {
  const { t } = useI18n()
  // A method that was switched off meanwhile stays while it has an amount.
  const shown = NONCASH_METHODS.filter((one) => noncashMethods(methods).includes(one) || sale[one] !== '')
  return (
    <div className={`space-y-2 lg:space-y-1 ${shown.length > 3 ? 'pos-methods' : ''}`}>
      {shown.map((method) => (
        <Fragment key={method}>
          <Amount
            id={`pos-${method}`}
            label={t(`pos.${method}`)}
            value={sale[method]}
            rejection={errors[`transactions.${method}`]?.[0]}
            onChange={(amount) => onChange({ [method]: amount })}
          />
          <TransactionId
            method={method}
            sale={sale}
            error={errors[`transaction_ids.${method}`]?.[0]}
            onChange={(id) => onChange({ [`${method}Id`]: id })}
          />
        </Fragment>
      ))}
    </div>
  )
}

interface TransactionIdProps {
  method: NoncashMethod
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

interface AmountProps extends Omit<Parameters<typeof AmountField>[0], 'problem' | 'children'> {
  rejection?: string | undefined
}

/** A payment; an unreadable or a rejected amount is an error at the field. Renders when its value changes, not with every scan. */
const Amount = memo(function Amount({ rejection, ...props }: AmountProps) {
  const { t } = useI18n()
  return <AmountField {...props} problem={typedAmount(props.value) === null ? t('pos.amount-invalid') : (rejection ?? null)} />
}, isSameAmount)

/** The functions only call `onChange` of the sale, which is stable. */
function isSameAmount(one: AmountProps, other: AmountProps): boolean {
  const isSame = one.value === other.value && one.label === other.label && one.note === other.note && one.rejection === other.rejection
  return isSame && (one.onReset === undefined) === (other.onReset === undefined)
}

/** The discount on the whole sale, in taka or as a percentage, which is shown in taka. */
function Discount({ sale, onChange }: Pick<PosPaymentProps, 'sale' | 'onChange'>) {
  const { t, lang } = useI18n()
  const amount = readDiscount(sale.discount, goodsAfterLineDiscounts(sale.lines))
  const change = (discount: string) => onChange({ discount })
  return (
    <AmountField
      id="pos-discount"
      label={t('pos.discount')}
      value={sale.discount}
      problem={amount === null ? t('pos.discount-invalid') : null}
      note={amount !== null && isPercentage(sale.discount) ? formatTaka(amount, lang) : undefined}
      onChange={change}
    >
      <PercentButton typed={sale.discount} label={t('pos.percent')} onChange={change} />
    </AmountField>
  )
}
