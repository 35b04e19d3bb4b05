import { useState } from 'react'
import { Button, ButtonLink } from '#components/button.tsx'
import { Dialog } from '#components/dialog.tsx'
import type { OrderRow } from '#features/orders/history/order-list.server.ts'
import { isLive, mayBePartlyDelivered, needsReason, ORDER_STATUSES, type OrderStatus } from '#features/orders/rules.ts'
import { localizeDigits, formatNumber } from '#lib/format/numbers.ts'
import { useI18n } from '#page/page-context.tsx'
import { AllDialog, type AllOrders, useCountAll } from './bulk-all.tsx'
import { BulkTags } from './bulk-tags.tsx'
import { useDeliveryCheck } from './delivery-check.tsx'
import { SendPickedReminders } from './delivery-reminders.tsx'
import { ActingSelect } from '../ui/acting-select.tsx'
import { adminPost, showFailure } from '../ui/admin-post.ts'
import { PrintIcon } from '../ui/icons.tsx'
import { usePermissions } from '../ui/use-permissions.ts'
import { ReasonField } from '../ui/reason-field.tsx'
import { usePreservedState } from '../ui/use-preserved-state.ts'

interface Result {
  id: number
  ok: boolean
  message?: string
}

interface BulkOrdersProps {
  picked: OrderRow[]
  clear: () => void
  hasMore: boolean
  usedTags: string[]
}

/** Actions for selected orders: change the status with a result per order, tag them, or print invoices. */
export function BulkOrders({ picked, clear, hasMore, usedTags }: BulkOrdersProps) {
  const { t, lang } = useI18n()
  const { can } = usePermissions()
  const [to, setTo] = useState<OrderStatus | null>(null)
  const [all, setAll] = useState<AllOrders | null>(null)
  const { count, isCounting } = useCountAll()
  return (
    <>
      {hasMore && can('orders.write') ? (
        all ? (
          <span className="flex flex-wrap items-center gap-2 font-semibold" role="status">
            {t('admin-orders.all-selected', { count: formatNumber(all.count, lang) })}
            <Button size="small" kind="tag" onClick={() => setAll(null)}>
              {t('admin-orders.all-only-page')}
            </Button>
          </span>
        ) : (
          <Button size="small" kind="tag" busy={isCounting} onClick={async () => setAll(await count())}>
            {t('admin-orders.all-select')}
          </Button>
        )
      ) : null}
      {can('orders.write') ? (
        <ActingSelect
          aria-label={t('admin-orders.bulk-status')}
          className="admin-input text-ink"
          value=""
          onChange={(event) => setTo(event.target.value as OrderStatus)}
        >
          <option value="" disabled>
            {t('admin-orders.bulk-status')}
          </option>
          {ORDER_STATUSES.map((status) => (
            <option key={status} value={status}>
              {t(`order-status.${status}`)}
            </option>
          ))}
        </ActingSelect>
      ) : null}
      {all ? null : (
        <ButtonLink size="small" kind="tag" href={`/admin/orders/invoices?ids=${picked.map(({ id }) => id).join(',')}`} target="_blank">
          <PrintIcon size={17} />
          {t('admin-orders.bulk-print')}
        </ButtonLink>
      )}
      {can('orders.write') && !all ? <BulkTags ids={picked.map(({ id }) => id)} usedTags={usedTags} clear={clear} /> : null}
      {can('sms.send') && !all ? <SendPickedReminders picked={picked} clear={clear} /> : null}
      {/* The bar is dark; the dialog is not. */}
      <div className="text-ink">
        {to && all ? <AllDialog all={all} to={to} close={() => setTo(null)} /> : null}
        {to && !all ? <BulkDialog picked={picked} to={to} close={() => setTo(null)} clear={clear} /> : null}
      </div>
    </>
  )
}

function BulkDialog({ picked, to, close, clear }: { picked: OrderRow[]; to: OrderStatus; close: () => void; clear: () => void }) {
  const { t, lang } = useI18n()
  const [reason, setReason, reset] = usePreservedState(`bulk-${to}`, '')
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  const { check, dialog } = useDeliveryCheck({ usesDrawer: false })
  const [results, setResults] = useState<Result[] | null>(null)

  async function go() {
    if (needsReason(to) && reason.trim() === '') return setError(t('admin-orders.reason-required'))
    setBusy(true)
    const collected = await check(
      picked.map(({ id }) => id),
      to,
    )
    if (collected === null) return setBusy(false)
    const orders = picked.map(({ id, version }) => ({ id, version, collected: collected.amounts.get(id) }))
    const body = { orders, status: to, reason, drawer: collected.drawer }
    const written = await adminPost<{ results: Result[] }>('/admin/orders/status', body, { once: `bulk-${to}` })
    setBusy(false)
    if (written.ok) {
      reset()
      setResults(written.body.results)
    } else showFailure(written, t)
  }
  const finish = () => {
    if (results === null) return close()
    clear()
    location.reload()
  }
  const refused = results?.filter((result) => !result.ok) ?? []
  const count = (number: number) => formatNumber(number, lang)
  return (
    <Dialog
      open
      onClose={finish}
      closeLabel={t('admin.close')}
      title={
        results
          ? t('admin-orders.bulk-result')
          : t('admin-orders.bulk-title', { count: count(picked.length), status: t(`order-status.${to}`) })
      }
      actions={
        results ? (
          <Button onClick={finish}>{t('admin.close')}</Button>
        ) : (
          <>
            <Button kind="secondary" onClick={close}>
              {t('admin.cancel')}
            </Button>
            <Button kind={needsReason(to) ? 'danger' : 'primary'} busy={isBusy} onClick={go}>
              {t('admin-orders.bulk-go')}
            </Button>
          </>
        )
      }
    >
      <div>
        {results === null && needsReason(to) ? <ReasonField value={reason} error={error} onChange={setReason} /> : null}
        {results === null && needsReason(to) ? <EndWarnings picked={picked} to={to} /> : null}
        {results ? (
          <div role="status">
            <p className="font-semibold text-leaf-800">{t('admin-orders.bulk-done', { count: count(results.length - refused.length) })}</p>
            {refused.length > 0 ? (
              <>
                <p className="mt-3 font-semibold text-terracotta">{t('admin-orders.bulk-refused')}</p>
                <ul className="mt-1 max-h-72 space-y-1 overflow-y-auto text-sm">
                  {refused.map(({ id, message }) => (
                    <li key={id}>
                      <a href={`/admin/orders/update/${id}`} className="tabular-nums font-semibold text-leaf-800 underline">
                        {localizeDigits(lang, String(id))}
                      </a>{' '}
                      {message}
                    </li>
                  ))}
                </ul>
              </>
            ) : null}
          </div>
        ) : null}
        {dialog}
      </div>
    </Dialog>
  )
}

/** What becomes of money and of first deliveries that were made. */
function EndWarnings({ picked, to }: { picked: OrderRow[]; to: OrderStatus }) {
  const { t, lang } = useI18n()
  // An ended order owes nothing, also without a payment.
  const paid = picked.filter(({ status, total, due }) => isLive(status) && due < total).length
  return (
    <div className="mt-3 space-y-3 font-semibold text-terracotta">
      {paid > 0 ? <p>{t('admin-orders.cancel-paid-many', { count: formatNumber(paid, lang) })}</p> : null}
      {to === 'cancelled' && picked.some((order) => mayBePartlyDelivered(order)) ? <p>{t('door.cancel-first-made')}</p> : null}
    </div>
  )
}
