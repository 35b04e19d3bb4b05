import { useState } from 'react'
import { Button } from '#components/button.tsx'
import { Dialog } from '#components/dialog.tsx'
import { SelectField, TextField } from '#components/field.tsx'
import { showToast } from '#components/toast.tsx'
import type { BulkLine } from '#features/catalog/products/bulk-change.server.ts'
import type { ProductListRow } from '#features/catalog/products/product-list.server.ts'
import { PRICE_CHANGES } from '#features/catalog/products/product-rules.ts'
import { PRODUCT_STATUSES } from '#features/catalog/rules.ts'
import type { ProductStatus } from '#features/catalog/types.ts'
import { formatTaka, takaToPoisha } from '#lib/format/money.ts'
import { formatFullDay } from '#lib/format/time.ts'
import { useI18n } from '#page/page-context.tsx'
import { call } from '#page/api-client.ts'
import { ScrollArea } from '../ui/scroll-area.tsx'
import { usePreservedState } from '../ui/use-preserved-state.ts'
import { failureText } from '../ui/admin-post.ts'
import { DayField } from '../ui/day-input.tsx'
import { textByData } from '#lib/i18n/translate.ts'

export type BulkWhat = 'price' | 'status' | 'visible' | 'delivery_on' | 'archived'

const INITIAL: Record<BulkWhat, Record<string, unknown>> = {
  price: { by: 'percent', amount: '' },
  status: { status: 'in-stock' },
  visible: { visible: true },
  delivery_on: { delivery_on: '' },
  archived: { archived: true },
}

interface BulkDialogProps {
  what: BulkWhat
  rows: ProductListRow[]
  /** Lets go of the picked rows. */
  clear(): void
  onClose(): void
}

interface Answer {
  lines: BulkLine[]
  previewHash: string
  done?: boolean
  message?: string
  errors?: Record<string, string[]>
}

/** Changes several products: input, preview, then the change. */
export function BulkDialog({ what, rows, clear, onClose }: BulkDialogProps) {
  const { t } = useI18n()
  const [input, setInput, reset] = usePreservedState<Record<string, unknown>>(`bulk-products-${what}`, INITIAL[what])
  const [preview, setPreview] = useState<Answer | null>(null)
  const [error, setError] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const change = (values: Record<string, unknown>) => {
    setInput({ ...input, ...values })
    setPreview(null)
    setError(null)
  }
  async function send(previewHash?: string) {
    setBusy(true)
    const body = { what, ...input, ids: rows.map((row) => row.id), ...(previewHash ? { previewHash } : {}) }
    const answer = await call<Answer>('/admin/products/bulk', { method: 'POST', body })
    setBusy(false)
    const news = answer.body
    if (!answer.ok) {
      setError(news?.errors ? (Object.values(news.errors)[0]?.[0] ?? null) : failureText(news, t))
      if (news?.lines) setPreview(news)
      return
    }
    if (!answer.body.done) return setPreview(answer.body)
    reset()
    showToast(t('products.bulk-done', { count: changing(answer.body.lines).length }))
    clear()
    location.reload()
  }
  const count = preview ? changing(preview.lines).length : 0
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={t(`products.bulk-title.${what}`, { count: rows.length })}
      closeLabel={t('admin.close')}
      actions={
        <>
          <Button kind="secondary" onClick={onClose}>
            {t('admin.cancel')}
          </Button>
          {preview && count > 0 ? (
            <Button busy={busy} onClick={() => void send(preview.previewHash)}>
              {t('products.bulk-do', { count })}
            </Button>
          ) : (
            <Button busy={busy} disabled={preview !== null} onClick={() => void send()}>
              {t('products.bulk-preview')}
            </Button>
          )}
        </>
      }
    >
      <form
        className="grid grid-cols-1 gap-4 sm:grid-cols-2"
        onSubmit={(event) => {
          event.preventDefault()
          if (!preview) void send()
        }}
      >
        {what === 'price' ? (
          <>
            <SelectField label={t('products.bulk-by')} value={String(input.by)} onChange={(event) => change({ by: event.target.value })}>
              {PRICE_CHANGES.map((by) => (
                <option key={by} value={by}>
                  {t(`products.bulk-by.${by}`)}
                </option>
              ))}
            </SelectField>
            <TextField
              label={t('products.bulk-amount')}
              hint={input.by === 'set' ? undefined : t('products.bulk-amount-hint')}
              value={String(input.amount)}
              error={error ?? undefined}
              inputMode="text"
              autoComplete="off"
              onChange={(event) => change({ amount: event.target.value })}
            />
          </>
        ) : what === 'status' ? (
          <SelectField
            label={t('products.status')}
            value={String(input.status)}
            error={error ?? undefined}
            onChange={(event) => change({ status: event.target.value })}
          >
            {PRODUCT_STATUSES.map((status) => (
              <option key={status} value={status}>
                {t(`catalog.status.${status}`)}
              </option>
            ))}
          </SelectField>
        ) : what === 'delivery_on' ? (
          <DayField
            label={t('products.delivery-on')}
            hint={t('products.delivery-on-hint')}
            value={String(input.delivery_on)}
            error={error ?? undefined}
            onChange={(event) => change({ delivery_on: event.target.value })}
          />
        ) : what === 'archived' ? (
          <SelectField
            label={t('products.bulk.archived')}
            hint={t('products.archive-text')}
            value={String(input.archived)}
            error={error ?? undefined}
            onChange={(event) => change({ archived: event.target.value === 'true' })}
          >
            <option value="true">{t('products.archive')}</option>
            <option value="false">{t('products.restore')}</option>
          </SelectField>
        ) : (
          <SelectField
            label={t('products.visibility')}
            value={String(input.visible)}
            error={error ?? undefined}
            onChange={(event) => change({ visible: event.target.value === 'true' })}
          >
            <option value="true">{t('products.bulk-show')}</option>
            <option value="false">{t('products.bulk-hide')}</option>
          </SelectField>
        )}
      </form>
      {preview ? <Preview what={what} lines={preview.lines} /> : null}
    </Dialog>
  )
}

const changing = (lines: BulkLine[]) => lines.filter((line) => line.refused === null && line.before !== line.after)

function Preview({ what, lines }: { what: BulkWhat; lines: BulkLine[] }) {
  const { t, lang } = useI18n()
  const format = (value: BulkLine['before']) =>
    what === 'price'
      ? formatTaka(takaToPoisha(Number(value)), lang)
      : what === 'status'
        ? t(`catalog.status.${value as ProductStatus}`)
        : what === 'delivery_on'
          ? value === ''
            ? '—'
            : formatFullDay(String(value), lang)
          : what === 'archived'
            ? t(`products.${value as 'archived' | 'hidden' | 'in-shop'}`)
            : t(value ? 'products.in-shop' : 'products.hidden')
  const text = textByData(t)
  if (lines.every((line) => line.refused === null && line.before === line.after))
    return <p className="mt-4">{t('products.bulk-nothing')}</p>
  return (
    <ScrollArea label={t('products.bulk-preview')} className="mt-4 max-h-[45dvh] rounded-card border border-line">
      <table className="w-full text-sm [&_td]:px-3 [&_td]:py-1.5 [&_th]:sticky [&_th]:top-0 [&_th]:bg-sand [&_th]:px-3 [&_th]:py-1.5 [&_th]:text-start">
        <thead>
          <tr>
            <th scope="col">{t('products.name')}</th>
            <th scope="col">{t('products.bulk-before')}</th>
            <th scope="col">{t('products.bulk-after')}</th>
          </tr>
        </thead>
        <tbody className="tabular-nums">
          {lines.map((line) => (
            <tr key={line.id} className="border-t border-line">
              <td>
                {lang === 'bn' ? line.name_bn : line.name_en}{' '}
                {line.tag_number ? <span className="text-stone">{line.tag_number}</span> : null}
                {line.open_order_id === null ? null : (
                  <span className="block text-terracotta">{t('products.archive-open-order', { order: line.open_order_id })}</span>
                )}
              </td>
              <td>{format(line.before)}</td>
              <td>
                {line.refused ? (
                  <span className="text-terracotta">{text(line.refused)}</span>
                ) : line.before === line.after ? (
                  <span className="text-stone">{t('products.bulk-same')}</span>
                ) : (
                  <b>{format(line.after)}</b>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollArea>
  )
}
