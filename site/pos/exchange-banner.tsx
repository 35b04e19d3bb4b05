import { Button, ButtonLink } from '#components/button.tsx'
import type { ExtraMethod } from '#features/pos/rules.ts'
import { formatTaka } from '#lib/format/money.ts'
import { formatQuantity, localizeDigits } from '#lib/format/numbers.ts'
import { useI18n } from '#page/page-context.tsx'
import type { SaleExchange } from './exchange.ts'
import { RefundMethod } from './refund-method.tsx'
import type { SaleState } from './sale.ts'

interface ExchangeBannerProps {
  exchange: SaleExchange
  /** The extra payment methods that are switched on. */
  methods: readonly ExtraMethod[]
  state: SaleState
  /** Errors of the last submit. */
  errors: Record<string, string[]>
  onChange: (exchange: SaleExchange) => void
  onCancel: () => void
}

/** What comes back for the sale on the screen, and what is to pay or to refund. */
export function ExchangeBanner({ exchange, methods, state, errors, onChange, onCancel }: ExchangeBannerProps) {
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
        <ButtonLink kind="secondary" size="small" href={`/admin/quick-orders/return?receipt=${orderId}`}>
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
            <span className="text-stone">({t(spoiled ? 'pos.return.spoiled' : 'pos.return.stock')})</span>
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
      {state.paidBack > 0 ? (
        <div className="mt-3">
          <RefundMethod
            method={exchange.method}
            methods={methods}
            transactionId={exchange.transactionId}
            errors={errors}
            prefix="exchange."
            onChange={(payment) => onChange({ ...exchange, ...payment })}
          />
        </div>
      ) : null}
      <p role="status" className="font-semibold text-terracotta">
        {problems.join(' ')}
      </p>
      {state.sums.subtotal === 0 ? <p className="mt-2 text-stone">{t('pos.exchange.hint')}</p> : null}
    </section>
  )
}
