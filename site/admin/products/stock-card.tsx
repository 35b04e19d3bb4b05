import { type FormEvent, useState } from 'react'
import { Button } from '#components/button.tsx'
import { SelectField, TextField } from '#components/field.tsx'
import { showToast } from '#components/toast.tsx'
import type { StockMovement } from '#features/catalog/products/count-stock.server.ts'
import type { ProductDetails } from '#features/catalog/products/product-editor-queries.server.ts'
import { localizeDigits, formatNumber, formatQuantity, toMilli } from '#lib/format/numbers.ts'
import { formatDateTime } from '#lib/format/time.ts'
import { call } from '#page/api-client.ts'
import { useI18n } from '#page/page-context.tsx'
import { COUNT_WAIT_MS } from '#features/stock/rules.ts'
import { stockBody } from '#features/catalog/products/forms.ts'
import { STOCK_ENTRIES } from '#features/catalog/products/product-rules.ts'
import { maxLengthAt } from '#site/admin/ui/form-schema.ts'
import { FormSection } from '../ui/form.tsx'
import { failureText } from '../ui/admin-post.ts'

interface StockCardProps {
  product: ProductDetails
  movements: StockMovement[]
  mayWrite: boolean
  /** `isEntered`: false after a conflict, whose product is the saved one. */
  onCounted(product: ProductDetails, isEntered: boolean): void
}

/** The stock of a product, its movements, and a form for a new movement. */
export function StockCard({ product, movements: initial, mayWrite, onCounted }: StockCardProps) {
  const { t, lang } = useI18n()
  const [movements, setMovements] = useState(initial)
  const { stock } = product.state
  const now = stock === null ? t('products.not-counted') : formatQuantity(toMilli(stock), product.unit, lang)
  return (
    <FormSection title={t('products.stock-title')}>
      <p className="tabular-nums text-lg font-semibold">{t('products.stock-now', { stock: now })}</p>
      {mayWrite ? (
        <StockForm
          product={product}
          lastEntryId={Math.max(0, ...movements.map(({ id }) => id))}
          onAnswer={(answer, isEntered) => {
            setMovements(answer.movements)
            onCounted(answer.product, isEntered)
          }}
        />
      ) : null}
      {movements.length === 0 ? (
        <p className="text-sm text-stone">{t('products.stock-none')}</p>
      ) : (
        <ul className="tabular-nums divide-y divide-line text-sm">
          {movements.map((one) => (
            <li key={one.id} className="flex flex-wrap items-baseline gap-x-3 py-1.5">
              <b className={`min-w-14 text-end ${one.delta < 0 ? 'text-terracotta' : 'text-leaf-800'}`}>
                {one.delta > 0 ? '+' : ''}
                {formatNumber(one.delta, lang)}
              </b>
              <span>
                {one.take ? t(`stock-take.reason.${one.take.reason}`) : t(`products.stock.${one.reason}`)}
                {one.take ? (
                  <>
                    {' '}
                    <a href={`/admin/stock-takes/${one.take.id}`} className="text-leaf-800 underline underline-offset-4">
                      {t('stock-take.title', { id: localizeDigits(lang, String(one.take.id)) })}
                    </a>
                  </>
                ) : null}
                {one.order_id === null ? null : (
                  <>
                    {' '}
                    <a href={`/admin/orders/update/${one.order_id}`} className="text-leaf-800 underline underline-offset-4">
                      {localizeDigits(lang, String(one.order_id))}
                    </a>
                  </>
                )}
              </span>
              <span className="ms-auto text-stone">
                {one.by ? `${one.by} · ` : null}
                <time dateTime={one.at}>{formatDateTime(new Date(one.at), lang)}</time>
              </span>
              {one.note ? <span className="w-full ps-17 text-stone wrap-anywhere">{one.note}</span> : null}
            </li>
          ))}
        </ul>
      )}
    </FormSection>
  )
}

interface ErrorResponse {
  message: string
  errors: Record<string, string[]>
}

interface Entered {
  product: ProductDetails
  movements: StockMovement[]
}

function StockForm({
  product,
  lastEntryId,
  onAnswer,
}: {
  product: ProductDetails
  lastEntryId: number
  onAnswer(answer: Entered, isEntered: boolean): void
}) {
  const { t } = useI18n()
  const blank = { kind: 'received', quantity: '', note: '' }
  const [input, setInput] = useState(blank)
  const [error, setError] = useState<string | undefined>()
  const [busy, setBusy] = useState(false)
  async function enter(event: FormEvent) {
    event.preventDefault()
    setBusy(true)
    const answer = await call<Partial<Entered & ErrorResponse>>(`/admin/products/${product.id}/stock`, {
      method: 'POST',
      body: { ...input, lastEntryId },
      timeoutMs: COUNT_WAIT_MS,
    })
    setBusy(false)
    const result = answer.body
    // After a conflict the newer movements are shown; the next submit confirms them.
    if (result?.product && result.movements) onAnswer({ product: result.product, movements: result.movements }, answer.ok)
    if (!answer.ok) return setError(result?.errors?.quantity?.[0] ?? failureText(result, t))
    setError(undefined)
    setInput(blank)
    showToast(t('products.stock-done'))
  }
  const change = (values: Partial<typeof blank>) => {
    setInput({ ...input, ...values })
    setError(undefined)
  }
  return (
    <form onSubmit={(event) => void enter(event)} noValidate className="grid gap-3">
      <SelectField label={t('products.stock-kind')} value={input.kind} onChange={(event) => change({ kind: event.target.value })}>
        {STOCK_ENTRIES.map((kind) => (
          <option key={kind} value={kind}>
            {t(`products.stock.${kind}`)}
          </option>
        ))}
      </SelectField>
      {input.kind === 'uncounted' ? (
        error ? (
          <p role="alert" className="font-semibold text-terracotta">
            {error}
          </p>
        ) : null
      ) : (
        <TextField
          label={t('products.stock-quantity')}
          hint={input.kind === 'counted' ? t('products.stock-counted-hint') : undefined}
          value={input.quantity}
          error={error}
          inputMode="decimal"
          autoComplete="off"
          onChange={(event) => change({ quantity: event.target.value })}
        />
      )}
      <TextField
        label={t('products.stock-note')}
        optionalLabel={t('admin.optional')}
        value={input.note}
        maxLength={maxLengthAt(stockBody, 'note')}
        autoComplete="off"
        onChange={(event) => change({ note: event.target.value })}
      />
      <Button type="submit" kind="secondary" busy={busy}>
        {t('products.stock-do')}
      </Button>
    </form>
  )
}
