import { SelectField, TextField } from '#components/field.tsx'
import { type ExtraMethod, PAYMENT_METHODS, type PaymentMethod, STANDARD_METHODS } from '#features/pos/rules.ts'
import { MAX_TYPED_TRANSACTION_ID_LENGTH } from '#lib/format/input-limits.ts'
import { type Poisha, poishaToTaka } from '#lib/format/money.ts'
import { useI18n } from '#page/page-context.tsx'

/** How money is paid back: by one method, with its transaction id. */
export interface RefundPayment {
  method: PaymentMethod | 'store_credit'
  transactionId: string
}

interface RefundMethodProps extends RefundPayment {
  /** The extra payment methods that are switched on. */
  methods: readonly ExtraMethod[]
  errors: Record<string, string[]>
  /** Before the names of the fields in `errors`. */
  prefix?: string
  onChange: (payment: RefundPayment) => void
}

export function RefundMethod({ method, transactionId, methods, errors, prefix = '', onChange }: RefundMethodProps) {
  const { t } = useI18n()
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <SelectField
        label={t('pos.exchange.method')}
        value={method}
        error={(errors[`${prefix}refund.${method}`] ?? errors[`${prefix}refund.store_credit`])?.[0]}
        onChange={({ target }) => onChange({ method: target.value as RefundPayment['method'], transactionId })}
      >
        {([...STANDARD_METHODS, ...methods, 'store_credit'] as const).map((one) => (
          <option key={one} value={one}>
            {t(`pos.${one}`)}
          </option>
        ))}
      </SelectField>
      {method === 'cash' || method === 'store_credit' ? null : (
        <TextField
          label={t('pos.transaction', { method: t(`pos.${method}`) })}
          optionalLabel={t('pos.optional')}
          autoComplete="off"
          autoCapitalize="characters"
          maxLength={MAX_TYPED_TRANSACTION_ID_LENGTH}
          value={transactionId}
          error={errors[`${prefix}transaction_ids.${method}`]?.[0]}
          onChange={({ target }) => onChange({ method, transactionId: target.value })}
        />
      )}
    </div>
  )
}

/** The fields `refund` and `transaction_ids` of a return: the whole amount by one method. */
export function refundBodyOf({ method, transactionId }: RefundPayment, amount: Poisha) {
  const of = <T,>(value: T, none: T) => Object.fromEntries(PAYMENT_METHODS.map((one) => [one, one === method ? value : none]))
  const { cash: _cash, ...ids } = of(amount > 0 ? transactionId : '', '')
  const credit = method === 'store_credit' && amount > 0 ? { store_credit: poishaToTaka(amount) } : {}
  return { refund: { ...of(poishaToTaka(amount), 0), ...credit }, transaction_ids: ids }
}
