import { Button } from '#components/button.tsx'
import { TextField } from '#components/field.tsx'
import { PlusIcon, TrashIcon } from '#components/icons.tsx'
import { money } from '#features/orders/ui/paper-money.ts'
import { formatTaka } from '#lib/money.ts'
import { formatQuantity } from '#lib/numbers.ts'
import { useI18n } from '#site/app-root.tsx'
import { FormSection } from '../ui/form.tsx'
import type { OfficeFormState } from '../ui/use-form.ts'
import { useRights } from '../ui/use-rights.ts'
import { blankLine, chosenLine, lineSum, type LineValue, type OrderValues } from './order-values.ts'
import { ProductPicker } from './product-picker.tsx'

const MOST_LINES = 100

/** The products of an order, line by line. */
export function OrderLines({ form }: { form: OfficeFormState<OrderValues> }) {
  const { t } = useI18n()
  const lines = form.values.products
  // By its key: what the server says of a product may come when lines have been added or taken away.
  const change = (at: number, key: number, update: (line: LineValue) => LineValue) =>
    form.set('products', (now) => now.map((line) => (line.key === key ? update(line) : line)), `products.${at}`)
  const add = () => {
    const line = blankLine()
    form.set('products', [...lines, line])
    setTimeout(() => document.getElementById(`product-${line.key}`)?.focus())
  }
  const error = form.errorOf('products')
  return (
    <FormSection title={t('office-orders.lines')}>
      {error ? (
        <p className="font-semibold text-terracotta" aria-invalid tabIndex={-1}>
          {error}
        </p>
      ) : null}
      {lines.map((line, at) => (
        <OrderLine
          key={line.key}
          line={line}
          at={at}
          errorOf={(field) => form.errorOf(`products.${at}.${field}`)}
          change={(update) => change(at, line.key, update)}
          {...(lines.length > 1 ? { remove: () => form.set('products', lines.toSpliced(at, 1)) } : {})}
        />
      ))}
      <Button kind="secondary" onClick={add} disabled={lines.length >= MOST_LINES}>
        <PlusIcon size={18} />
        {t('office-orders.add-line')}
      </Button>
    </FormSection>
  )
}

interface OrderLineProps {
  line: LineValue
  at: number
  errorOf: (field: string) => string | undefined
  change: (update: (line: LineValue) => LineValue) => void
  remove?: () => void
}

function OrderLine({ line, at, errorOf, change, remove }: OrderLineProps) {
  const { t, lang } = useI18n()
  const { can } = useRights()
  const sum = lineSum(line)
  const name = line.product_name || String(at + 1)
  return (
    <div role="group" aria-label={name} className="rounded-card border border-line bg-paper p-3">
      <ProductPicker
        id={`product-${line.key}`}
        value={line.product_name}
        error={errorOf('product_id')}
        onType={(text) => change((now) => ({ ...now, product_name: text, product_id: '' }))}
        onChoose={(product, chosen) => change((now) => (now.product_name === chosen ? chosenLine(now, product, chosen) : now))}
      />
      <div className="mt-3 grid grid-cols-2 gap-3 sm:grid-cols-[7rem_9rem_1fr_auto] sm:items-start">
        <TextField
          label={t('office-orders.quantity')}
          value={line.quantity}
          error={errorOf('quantity')}
          inputMode="decimal"
          className="figures"
          autoComplete="off"
          disabled={line.is_unique}
          onChange={({ target: { value } }) => change((now) => ({ ...now, quantity: value }))}
        />
        <TextField
          label={t('office-orders.price')}
          value={line.price_on_order}
          error={errorOf('price_on_order')}
          inputMode="decimal"
          className="figures"
          autoComplete="off"
          readOnly={!can('orders.price')}
          onChange={({ target: { value } }) => change((now) => ({ ...now, price_on_order: value }))}
        />
        <dl className="figures self-center text-sm">
          <div className="flex flex-wrap gap-x-2">
            <dt className="text-stone">{t('office-orders.base-price')}</dt>
            <dd>{line.product_id === '' ? '—' : money(line.base_price, lang)}</dd>
          </div>
          <div className="flex flex-wrap gap-x-2">
            <dt className="text-stone">{t('office-orders.line-total')}</dt>
            <dd className="font-semibold">{sum === null ? '—' : formatTaka(sum, lang)}</dd>
          </div>
          {line.left === null || line.is_unique ? null : (
            <div className="text-stone">
              <dt className="sr-only">{t('office-orders.goods')}</dt>
              <dd>{t('office-orders.left', { left: formatQuantity(Math.round(line.left * 1000), line.unit, lang) })}</dd>
            </div>
          )}
        </dl>
        {remove ? (
          <Button
            kind="quiet"
            className="self-center justify-self-end text-terracotta"
            onClick={remove}
            aria-label={t('office-orders.remove-line-of', { name })}
          >
            <TrashIcon size={18} />
            {t('office-orders.remove-line')}
          </Button>
        ) : null}
      </div>
    </div>
  )
}
