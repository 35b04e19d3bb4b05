import { focusBeside } from '#components/focus-beside.ts'
import { Button } from '#components/button.tsx'
import { MAX_LINES } from '#features/cart/rules.ts'
import { TextField } from '#components/field.tsx'
import { TakaField } from '#components/taka-field.tsx'
import { money } from '#features/orders/ui/invoice-amounts.ts'
import { formatTaka, parseAmount, takaToPoisha } from '#lib/format/money.ts'
import { formatQuantity, toMilli } from '#lib/format/numbers.ts'
import { useI18n } from '#page/page-context.tsx'
import { FormSection } from '../ui/form.tsx'
import { usePermissions } from '../ui/use-permissions.ts'
import { blankLine, chosenLine, lineSum, type LineValue, type SharedForm, unchosenLine } from './order-values.ts'
import { ProductPicture } from './order-items.tsx'
import { ProductPicker } from './product-picker.tsx'
import { PlusIcon } from '../ui/icons.tsx'

/** The products of an order, line by line. */
export function OrderLines({ form }: { form: SharedForm }) {
  const { t } = useI18n()
  const lines = form.values.products
  // Found by key: lines may have been added or removed before the product's data arrives.
  const change = (at: number, key: number, update: (line: LineValue) => LineValue) =>
    form.set('products', (now) => now.map((line) => (line.key === key ? update(line) : line)), `products.${at}`)
  const add = () => {
    const line = blankLine()
    form.set('products', [...lines, line])
    setTimeout(() => document.getElementById(`product-${line.key}`)?.focus())
  }
  const remove = (at: number) => {
    const left = lines.filter((_, index) => index !== at)
    form.set('products', left)
    // Keyboard focus moves to the line after the removed one.
    setTimeout(() => document.getElementById(`product-${left[Math.min(at, left.length - 1)]?.key}`)?.focus())
  }
  const error = form.errorOf('products')
  return (
    <FormSection title={t('admin-orders.lines')}>
      {error ? (
        <p className="font-semibold text-terracotta" aria-invalid tabIndex={-1}>
          {error}
        </p>
      ) : null}
      <div className="order-lines">
        {lines.map((line, at) => (
          <OrderLine
            key={line.key}
            line={line}
            at={at}
            errorOf={(field) => form.errorOf(`products.${at}.${field}`)}
            change={(update) => change(at, line.key, update)}
            {...(lines.length > 1 ? { remove: () => remove(at) } : {})}
          />
        ))}
      </div>
      <Button kind="secondary" onClick={add} disabled={lines.length >= MAX_LINES}>
        <PlusIcon size={18} />
        {t('admin-orders.add-line')}
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
  const { t } = useI18n()
  const { can } = usePermissions()
  const name = line.product_name || String(at + 1)
  return (
    <div role="group" aria-label={name} className="order-line">
      <div className="product flex items-end gap-2" title={line.product_name}>
        {line.product_id === '' ? null : <ProductPicture url={line.picture_url} />}
        <div className="min-w-0 grow">
          <ProductPicker
            id={`product-${line.key}`}
            value={line.product_name}
            error={errorOf('product_id')}
            onType={(text) => change((now) => unchosenLine(now, text))}
            onChoose={(product, chosen) => change((now) => (now.product_name === chosen ? chosenLine(now, product, chosen) : now))}
          />
        </div>
      </div>
      {line.note ? <p className="note text-sm break-words">– {line.note}</p> : null}
      <TextField
        label={t('admin-orders.quantity')}
        value={line.quantity}
        error={errorOf('quantity')}
        inputMode="decimal"
        className="tabular-nums"
        autoComplete="off"
        disabled={line.is_unique}
        onChange={({ target: { value } }) => change((now) => ({ ...now, quantity: value }))}
      />
      <TakaField
        label={t('admin-orders.price')}
        value={line.price_on_order}
        error={errorOf('price_on_order')}
        readOnly={!can('orders.price')}
        onChange={({ target: { value } }) => change((now) => ({ ...now, price_on_order: value }))}
      />
      <LineSums line={line} onUsual={can('orders.price') ? (price) => change((now) => ({ ...now, price_on_order: price })) : null} />
      {remove ? (
        <Button
          kind="quiet"
          size="small"
          className="remove text-terracotta"
          onClick={(event) => {
            focusBeside(event, '.order-line')
            remove()
          }}
          aria-label={t('admin-orders.remove-line-of', { name })}
        >
          {t('admin-orders.remove-line')}
        </Button>
      ) : null}
    </div>
  )
}

/** The line's total, the regular price, the price that the shop asks instead of another one, and the stock left. */
function LineSums({ line, onUsual }: { line: LineValue; onUsual: ((price: string) => void) | null }) {
  const { t, lang } = useI18n()
  const sum = lineSum(line)
  const { usual_price: usual } = line
  const isUsual = usual === undefined || parseAmount(line.price_on_order) === takaToPoisha(usual)
  const isOtherPrice = line.product_id !== '' && parseAmount(line.price_on_order) !== takaToPoisha(line.base_price)
  return (
    <dl className="sums tabular-nums">
      <div>
        <dt className="sr-only">{t('admin-orders.line-total')}</dt>
        <dd className="font-semibold">{sum === null ? '—' : formatTaka(sum, lang)}</dd>
      </div>
      {isOtherPrice ? (
        <div className="text-sm text-stone">
          <dt className="inline font-normal">{t('admin-orders.base-price')}</dt> <dd className="inline">{money(line.base_price, lang)}</dd>
        </div>
      ) : null}
      {isUsual || onUsual === null ? null : (
        <div>
          <dt className="sr-only">{t('admin-orders.price')}</dt>
          <dd>
            <Button kind="quiet" size="small" onClick={() => onUsual(String(usual))}>
              {t('admin-orders.take-usual', { price: money(usual, lang) })}
            </Button>
          </dd>
        </div>
      )}
      {line.left === null || line.is_unique ? null : (
        <div className="text-sm text-stone">
          <dt className="sr-only">{t('admin-orders.goods')}</dt>
          <dd>{t('admin-orders.left', { left: formatQuantity(toMilli(line.left), line.unit, lang) })}</dd>
        </div>
      )}
    </dl>
  )
}
