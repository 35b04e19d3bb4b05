import { useEffect, useRef } from 'react'
import { Button } from '#components/button.tsx'
import type { AdminOrder } from '#features/orders/history/order-details.server.ts'
import type { MessageKey } from '#lib/i18n/translate.ts'
import { formatDateTime } from '#lib/format/time.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { useI18n } from '#page/page-context.tsx'
import { differingFields } from './differing-fields.ts'
import { orderValues, type OrderValues } from './order-values.ts'
import { AlertIcon } from '../ui/icons.tsx'

interface ConflictProps {
  theirs: AdminOrder
  /** The values that the form was opened with. */
  before: OrderValues
  mine: OrderValues
  areas: { id: number; area_name: string }[]
  keepMine: () => void
  takeTheirs: () => void
}

const LABELS: Partial<Record<keyof OrderValues, MessageKey>> = {
  status: 'admin-orders.status',
  reason: 'admin-orders.reason',
  list_on: 'admin-orders.list-on',
  is_collection: 'admin-orders.collection',
  name: 'admin-orders.name',
  phone: 'admin-orders.phone',
  address: 'admin-orders.address',
  area_id: 'admin-orders.area',
  landmark: 'admin-orders.landmark',
  note: 'admin-orders.note',
  remarks: 'admin-orders.remarks',
  shipping_cost: 'admin-orders.shipping',
  discount: 'admin-orders.discount',
  products: 'admin-orders.lines',
}

/** Events that change no field of the order and leave its version: another one is the cause of the conflict. */
const NO_CHANGE = /^(comment|tags|phone-proven|sms-.*|delivery-.*|animal-.*)$/

/** Shows the differences between the saved order and the own changes after a conflict (409). Own changes stay until a decision. */
export function Conflict({ theirs, before, mine, areas, keepMine, takeTheirs }: ConflictProps) {
  const { t, lang } = useI18n()
  const heading = useRef<HTMLHeadingElement>(null)
  // The save button is at the bottom of a long form, far from this notice.
  useEffect(() => heading.current?.focus(), [])
  const other = orderValues(theirs)
  const differing = differingFields(mine, other)
  const fields = (Object.keys(LABELS) as (keyof OrderValues)[]).filter((field) => differing.includes(field))
  const changed = differingFields(before, mine)
  // Fields that only the other editor changed keep the other editor's value.
  const isTheirs = (field: keyof OrderValues) => !changed.includes(field)
  const last = theirs.events.find(({ kind }) => !NO_CHANGE.test(kind))
  const shown = (field: keyof OrderValues, values: OrderValues): string => {
    if (field === 'products')
      return values.products
        .map((line) => `${line.product_name} × ${localizeDigits(lang, `${line.quantity} @ ${line.price_on_order}`)}`)
        .join('; ')
    if (field === 'status') return t(`order-status.${values.status}`)
    if (field === 'area_id') return areas.find(({ id }) => String(id) === values.area_id)?.area_name ?? ''
    if (field === 'is_collection') return values.is_collection ? t('admin-orders.collects') : ''
    return String(values[field])
  }
  return (
    <section role="alert" aria-labelledby="conflict" className="mb-4 rounded-card border-2 border-mango bg-mango-100 p-4">
      <h2 ref={heading} id="conflict" tabIndex={-1} className="flex scroll-mt-20 items-center gap-2 text-lg">
        <AlertIcon className="shrink-0" />
        {t('admin-orders.conflict')}
      </h2>
      <p className="mt-1">
        {last
          ? t('admin-orders.conflict-by', {
              name: last.by ?? t(`admin-orders.actor.${last.actor}`),
              when: formatDateTime(new Date(last.at), lang),
            })
          : null}{' '}
        {t('admin-orders.conflict-text')}
      </p>
      {fields.length === 0 ? (
        <p className="mt-2">{t('admin-orders.nothing-differs')}</p>
      ) : (
        <dl className="mt-3 space-y-2">
          {fields.map((field) => (
            <div key={field} className="rounded-card bg-milk px-3 py-2">
              <dt className="font-semibold">{t(LABELS[field] as 'admin-orders.status')}</dt>
              <dd className="grid grid-cols-1 gap-x-4 sm:grid-cols-2">
                <span className="break-words">
                  <span className="text-stone">{t('admin-orders.theirs')}: </span>
                  {shown(field, other) || '—'}
                </span>
                {isTheirs(field) ? (
                  <span className="text-stone">{t('admin-orders.theirs-stays')}</span>
                ) : (
                  <span className="break-words">
                    <span className="text-stone">{t('admin-orders.yours')}: </span>
                    {shown(field, mine) || '—'}
                  </span>
                )}
              </dd>
            </div>
          ))}
        </dl>
      )}
      <div className="mt-3 flex flex-wrap gap-2">
        <Button onClick={keepMine}>{t('admin-orders.keep-mine')}</Button>
        <Button kind="secondary" onClick={takeTheirs}>
          {t('admin-orders.take-theirs')}
        </Button>
      </div>
    </section>
  )
}
