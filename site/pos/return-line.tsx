import { Button } from '#components/button.tsx'
import { SelectField, TextField } from '#components/field.tsx'
import { returnableQuantity, returnQuantityProblem } from '#features/orders/returns/return-rules.ts'
import type { NamedSoldLine } from '#features/orders/returns/sold-order.server.ts'
import { readPosQuantity } from '#features/pos/rules.ts'
import { formatTaka } from '#lib/format/money.ts'
import { formatQuantity } from '#lib/format/numbers.ts'
import { useI18n } from '#page/page-context.tsx'
import { typedAmount } from './sale.ts'
import { LocalTakaField } from './local-taka-field.tsx'
import { useLocalDigits } from './use-local-digits.ts'

/** What comes back of a line, as typed. */
export type Line = { quantity: string; spoiled: boolean }

/** A typed quantity in thousandths. Orders that the admin changed have up to three decimals. */
export const readReturnedQuantity = (typed: string) => readPosQuantity(typed, 3)

interface ReturnLineProps {
  line: NamedSoldLine
  value: Line
  problem: string | undefined
  onChange: (id: number, changes: Partial<Line>) => void
}

/** A line of a sale: what comes back of it, and where it goes. */
export function ReturnLine({ line, value, problem, onChange }: ReturnLineProps) {
  const { t, lang } = useI18n()
  const { productId, name, unit } = line
  const milli = readReturnedQuantity(value.quantity)
  const left = returnableQuantity(line)
  const field = useLocalDigits(value.quantity)
  const amount = (of: number) => formatQuantity(of, unit, lang)
  const wrong = milli === null ? 'pos.quantity-invalid' : returnQuantityProblem(line, milli)
  const wrongText = wrong === null ? undefined : wrong === 'returns.too-many' ? t(wrong, { left: amount(left) }) : t(wrong)
  return (
    <li className="grid gap-x-4 gap-y-2 p-3 sm:grid-cols-[minmax(0,1fr)_14rem_12rem] sm:items-start">
      <div className="min-w-0">
        <p className="font-semibold break-words">{[name, line.tagNumber].filter(Boolean).join(' · ')}</p>
        <p className="tabular-nums text-sm text-stone">
          {t('pos.return.sold', { sold: amount(line.quantityMilli) })}
          {line.returnedMilli > 0 ? ` · ${t('pos.return.back-already', { back: amount(line.returnedMilli) })}` : ''} ·{' '}
          {formatTaka(line.total, lang)}
        </p>
      </div>
      <div className="flex items-start gap-2">
        <div className="grow">
          <TextField
            label={t('pos.return.quantity')}
            aria-label={t('pos.return.quantity-of', { name })}
            inputMode="decimal"
            autoComplete="off"
            className="tabular-nums text-center"
            value={field.shown}
            error={problem ?? (value.quantity.trim() === '' ? undefined : wrongText)}
            onChange={({ target }) => {
              field.type(target.value)
              onChange(productId, { quantity: target.value })
            }}
            onBlur={field.leave}
          />
        </div>
        <Button kind="secondary" className="mt-7 min-h-12" onClick={() => onChange(productId, { quantity: String(left / 1000) })}>
          {t('pos.return.all')}
          <span className="sr-only">: {name}</span>
        </Button>
      </div>
      <SelectField
        label={t('pos.return.where')}
        aria-label={t('pos.return.where-of', { name })}
        value={value.spoiled ? 'spoiled' : 'stock'}
        onChange={({ target }) => onChange(productId, { spoiled: target.value === 'spoiled' })}
      >
        <option value="stock">{t('pos.return.stock')}</option>
        <option value="spoiled">{t('pos.return.spoiled')}</option>
      </SelectField>
    </li>
  )
}

/** An amount of the refund. */
export function Money({
  label,
  value,
  onChange,
  error,
}: {
  label: string
  value: string
  onChange: (text: string) => void
  error: string | undefined
}) {
  const { t } = useI18n()
  return (
    <LocalTakaField label={label} value={value} error={typedAmount(value) === null ? t('pos.amount-invalid') : error} onChange={onChange} />
  )
}
