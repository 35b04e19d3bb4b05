import { Button, ButtonLink } from '#components/button.tsx'
import { SelectField, TextField } from '#components/field.tsx'
import { PAYMENT_METHODS, type PaymentMethod } from '#features/pos/rules.ts'
import { MAX_TYPED_TRANSACTION_ID_LENGTH } from '#lib/format/input-limits.ts'
import { formatTaka } from '#lib/format/money.ts'
import { formatQuantity, localizeDigits } from '#lib/format/numbers.ts'
import { useI18n } from '#page/page-context.tsx'
import type { SaleExchange } from './exchange.ts'
import type { SaleState } from './sale.ts'

interface ExchangeBannerProps {
  exchange: SaleExchange
  state: SaleState
  /** Errors of the last submit. */
  errors: Record<string, string[]>
  onChange: (exchange: SaleExchange) => void
  onCancel: () => void
}

/** What comes back for the sale on the screen, and what is to pay or to refund. */
export function ExchangeBanner({ exchange, state, errors, onChange, onCancel }: ExchangeBannerProps) {
  const { t, lang } = useI18n()
  const { orderId, lines, refund } = exchange
  const id = localizeDigits(lang, String(orderId))
  const problems = Object.entries(errors).flatMap(([field, texts]) => (field.startsWith('exchange.') ? texts : []))
  const sum = (label: string, amount: string, isStrong = false) => (
    <div className={isStrong ? 'font-semibold' : ''}>
      <dt className="text-sm text-stone">{label}</dt>
      <dd className={isStrong ? 'text-2xl text-indigo' : 'text-lg'}>{amount}</dd>
    </div>
  )
  return (
    <section aria-labelledby="pos-exchange" data-exchange={orderId} className="mb-3 rounded-card border-2 border-indigo bg-milk p-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h2 id="pos-exchange" className="grow text-lg">
          {t('pos.exchange.banner', { id })}
        </h2>
        <ButtonLink kind="secondary" size="small" href={`/admin/quick-orders/return?slip=${orderId}`}>
          {t('pos.exchange.change')}
        </ButtonLink>
        <Button kind="quiet" size="small" onClick={onCancel}>
          {t('pos.exchange.cancel')}
        </Button>
      </div>
      <ul className="mt-1 space-y-0.5">
        {lines.map(({ productId, name, unit, quantityMilli, spoiled }) => (
          <li key={productId} className="wrap-anywhere">
            {name}: {formatQuantity(quantityMilli, unit, lang)}{' '}
            <span className="text-stone">({t(spoiled ? 'pos.return.spoiled' : 'pos.return.shelf')})</span>
          </li>
        ))}
      </ul>
      <dl className="tabular-nums mt-3 flex flex-wrap items-end gap-x-8 gap-y-2">
        {sum(t('pos.exchange.value'), formatTaka(refund, lang))}
        {sum(t('pos.exchange.taken'), formatTaka(state.sums.total, lang))}
        {state.paidBack > 0
          ? sum(t('pos.exchange.to-refund'), formatTaka(state.paidBack, lang), true)
          : sum(t('pos.exchange.to-pay'), formatTaka(state.toPay, lang), true)}
      </dl>
      {state.paidBack > 0 ? <RefundMethod exchange={exchange} errors={errors} onChange={onChange} /> : null}
      <p role="status" className="font-semibold text-terracotta">
        {problems.join(' ')}
      </p>
      {state.sums.subtotal === 0 ? <p className="mt-2 text-stone">{t('pos.exchange.hint')}</p> : null}
    </section>
  )
}

/** How the difference is paid back: one method, with its transaction id where it is not cash. */
function RefundMethod({ exchange, errors, onChange }: Pick<ExchangeBannerProps, 'exchange' | 'errors' | 'onChange'>) {
  const { t } = useI18n()
  const { method, transactionId } = exchange
  return (
    <div className="mt-3 grid gap-3 sm:grid-cols-2">
      <SelectField
        label={t('pos.exchange.method')}
        value={method}
        error={errors[`exchange.refund.${method}`]?.[0]}
        onChange={({ target }) => onChange({ ...exchange, method: target.value as PaymentMethod })}
      >
        {PAYMENT_METHODS.map((one) => (
          <option key={one} value={one}>
            {t(`pos.${one}`)}
          </option>
        ))}
      </SelectField>
      {method === 'cash' ? null : (
        <TextField
          label={t('pos.transaction', { method: t(`pos.${method}`) })}
          optionalLabel={t('pos.optional')}
          autoComplete="off"
          autoCapitalize="characters"
          maxLength={MAX_TYPED_TRANSACTION_ID_LENGTH}
          value={transactionId}
          error={errors[`exchange.transaction_ids.${method}`]?.[0]}
          onChange={({ target }) => onChange({ ...exchange, transactionId: target.value })}
        />
      )}
    </div>
  )
}
