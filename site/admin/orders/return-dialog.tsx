import type { FormEvent } from 'react'
import { Button } from '#components/button.tsx'
import { Dialog } from '#components/dialog.tsx'
import { SelectField, TextField } from '#components/field.tsx'
import { showToast } from '#components/toast.tsx'
import type { AdminOrder, AdminOrderLine } from '#features/orders/history/order-details.server.ts'
import { returnQuantityProblem } from '#features/orders/returns/return-rules.ts'
import { formatTaka, poisha } from '#lib/format/money.ts'
import { formatQuantity, localizeDigits, toMilli } from '#lib/format/numbers.ts'
import { useI18n } from '#page/page-context.tsx'
import { adminPost } from '../ui/admin-post.ts'
import { useOrderDialog } from './use-order-dialog.ts'
import {
  previewReturn,
  readReturnQuantity,
  returnableMilli,
  type ReturnPreview,
  soldQuantities,
  type TypedReturn,
} from './return-values.ts'
import { ReasonField } from '../ui/reason-field.tsx'

interface ReturnDialogProps {
  order: AdminOrder
  close: () => void
  onChange: (order: AdminOrder) => void
}

const NOTHING: TypedReturn = { quantity: '', damaged: false }

/**
 * Records which products came back, how much of each, and where they go. The refund is paid afterwards from the order's payments. The
 * idempotency key belongs to the typed words, so a second press after a lost answer records nothing twice.
 */
export function ReturnDialog({ order, close, onChange }: ReturnDialogProps) {
  const { t, lang } = useI18n()
  const { typed, type, errors, setErrors, isBusy, send } = useOrderDialog<{ lines: Record<number, TypedReturn>; reason: string }>({
    order,
    name: 'return',
    initial: { lines: {}, reason: '' },
    onChange,
    close,
  })
  const open = order.lines.filter((line) => returnableMilli(line) > 0)
  const chosen = open.filter((line) => (typed.lines[line.product_id] ?? NOTHING).quantity.trim() !== '')
  const read = chosen.map((line) => ({
    productId: line.product_id,
    quantityMilli: readReturnQuantity(typed.lines[line.product_id]!.quantity) ?? 0,
  }))
  const fits =
    read.length > 0 &&
    read.every(({ quantityMilli }, at) => quantityMilli > 0 && returnQuantityProblem(soldQuantities(chosen[at]!), quantityMilli) === null)
  const change = (id: number, changes: Partial<TypedReturn>) =>
    type({ lines: { ...typed.lines, [id]: { ...(typed.lines[id] ?? NOTHING), ...changes } } })

  async function save(event: FormEvent) {
    event.preventDefault()
    const missing = {
      ...(read.length === 0 ? { lines: [t('returns.nothing')] } : {}),
      ...(typed.reason.trim() === '' ? { reason: [t('admin-orders.reason-required')] } : {}),
    }
    if (Object.keys(missing).length > 0) return setErrors(missing)
    const lines = chosen.map(({ product_id }) => ({ product_id, ...typed.lines[product_id]! }))
    const body = { lines, reason: typed.reason, version: order.version }
    const url = `/admin/orders/returns/${order.id}`
    const once = { once: `order-return:${order.id}` }
    if (await send(() => adminPost<{ order: AdminOrder }>(url, body, once))) showToast(t('returns.done'))
  }
  const errorOf = (line: AdminOrderLine) => {
    const at = chosen.indexOf(line)
    return ['quantity', 'damaged', 'product_id'].map((field) => errors[`lines.${at}.${field}`]?.[0]).find(Boolean)
  }
  return (
    <Dialog
      open
      onClose={close}
      closeLabel={t('admin.close')}
      wide
      title={t('returns.title', { id: localizeDigits(lang, String(order.id)) })}
    >
      <form noValidate onSubmit={save} className="space-y-4">
        <ul className="divide-y divide-line border-y border-line">
          {open.map((line) => (
            <Line
              key={line.product_id}
              line={line}
              value={typed.lines[line.product_id] ?? NOTHING}
              error={errorOf(line)}
              onChange={change}
            />
          ))}
        </ul>
        {errors.lines ? (
          <p role="alert" className="font-semibold text-terracotta">
            {errors.lines[0]}
          </p>
        ) : null}
        <ReasonField value={typed.reason} error={errors.reason?.[0]} onChange={(reason) => type({ reason })} />
        {fits ? <Preview preview={previewReturn(order, read)} /> : null}
        <div className="flex flex-wrap justify-end gap-2 max-sm:flex-col-reverse">
          <Button kind="secondary" onClick={close}>
            {t('admin.cancel')}
          </Button>
          <Button type="submit" busy={isBusy}>
            {t('returns.do')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

/** The value of what comes back, and the amount due after it. */
function Preview({ preview: { worth, due, isAll } }: { preview: ReturnPreview }) {
  const { t, lang } = useI18n()
  return (
    <div aria-live="polite">
      <dl className="tabular-nums space-y-1">
        <div className="flex justify-between gap-4">
          <dt>{t('returns.value')}</dt>
          <dd data-return-value>{formatTaka(worth, lang)}</dd>
        </div>
        <div className="flex justify-between gap-4 text-lg font-semibold">
          <dt>{t(due < 0 ? 'returns.refund-after' : 'returns.due-after')}</dt>
          <dd data-return-due>{formatTaka(poisha(Math.abs(due)), lang)}</dd>
        </div>
      </dl>
      {isAll ? <p className="mt-1 text-sm text-stone">{t('returns.is-all')}</p> : null}
    </div>
  )
}

interface LineProps {
  line: AdminOrderLine
  value: TypedReturn
  error: string | undefined
  onChange: (id: number, changes: Partial<TypedReturn>) => void
}

function Line({ line, value, error, onChange }: LineProps) {
  const { t, lang } = useI18n()
  const { product_id: id, product_name: name, unit, is_unique, tag_number } = line
  const left = returnableMilli(line)
  const milli = readReturnQuantity(value.quantity)
  const problem = value.quantity.trim() === '' || milli === null ? null : returnQuantityProblem(soldQuantities(line), milli)
  const amount = (of: number) => formatQuantity(toMilli(of), unit as 'kg', lang)
  return (
    <li className="grid grid-cols-1 gap-x-4 gap-y-2 py-3 sm:grid-cols-[minmax(0,1fr)_11rem_13rem] sm:items-start">
      <div className="min-w-0">
        <p className="font-semibold wrap-anywhere">
          {name} {tag_number ? <span className="ear-tag">{tag_number}</span> : null}
        </p>
        <p className="tabular-nums text-sm text-stone">
          {t('returns.ordered', { quantity: amount(line.quantity) })}
          {line.returned > 0 ? `, ${t('returns.before', { quantity: amount(line.returned) })}` : ''}
        </p>
      </div>
      <div className="flex items-start gap-2">
        <div className="grow">
          <TextField
            label={t('returns.quantity')}
            aria-label={t('returns.quantity-of', { name })}
            inputMode="decimal"
            autoComplete="off"
            maxLength={20}
            className="tabular-nums text-center"
            value={value.quantity}
            error={
              error ?? (problem === null ? undefined : problem === 'returns.whole' ? t(problem) : t(problem, { left: amount(left / 1000) }))
            }
            onChange={({ target }) => onChange(id, { quantity: target.value })}
          />
        </div>
        <div>
          {/* As high as the label of the field beside it. */}
          <span aria-hidden="true" className="invisible mb-1 block w-0 overflow-hidden font-semibold whitespace-nowrap">
            {t('returns.quantity')}
          </span>
          <Button kind="secondary" className="min-h-12" onClick={() => onChange(id, { quantity: String(left / 1000) })}>
            {t('returns.all')}
            <span className="sr-only">: {name}</span>
          </Button>
        </div>
      </div>
      {is_unique ? (
        <p className="text-sm text-stone sm:mt-9">{t('returns.animal-hold')}</p>
      ) : (
        <SelectField
          label={t('returns.to')}
          aria-label={t('returns.to-of', { name })}
          value={value.damaged ? 'damaged' : 'stock'}
          onChange={({ target }) => onChange(id, { damaged: target.value === 'damaged' })}
        >
          <option value="stock">{t('returns.to-stock')}</option>
          <option value="damaged">{t('returns.damaged')}</option>
        </SelectField>
      )}
    </li>
  )
}
