import { useState } from 'react'
import { Button } from '#components/button.tsx'
import { Dialog } from '#components/dialog.tsx'
import { SelectField, TextField } from '#components/field.tsx'
import { showToast } from '#components/toast.tsx'
import type { RefundRow } from '#features/orders/payments/gateway-payments.server.ts'
import type { AdminOrder } from '#features/orders/history/order-details.server.ts'
import { money } from '#features/orders/ui/invoice-amounts.ts'
import { formatDateTime } from '#lib/format/time.ts'
import { useI18n } from '#page/page-context.tsx'
import { MAX_REFERENCE_LENGTH } from '#lib/format/input-limits.ts'
import { gatewayReason } from './gateway-reason.ts'
import { adminPost, showFailure } from '../ui/admin-post.ts'
import { usePreservedState } from '../ui/use-preserved-state.ts'
import { usePermissions } from '../ui/use-permissions.ts'

const LOOKS: Record<RefundRow['state'], string> = {
  requested: 'chip-tag',
  unknown: 'chip-terracotta',
  processing: 'chip-mango',
  done: 'chip-leaf',
  failed: 'chip-terracotta',
}

export function RefundChip({ state }: { state: RefundRow['state'] }) {
  const { t } = useI18n()
  return (
    <span className={`chip ${LOOKS[state]}`} data-refund-state={state}>
      {t(`refunds.state.${state}`)}
    </span>
  )
}

/** An order's refunds through gateways, each with its state. */
export function GatewayRefunds({ order, onChange }: { order: AdminOrder; onChange: (order: AdminOrder) => void }) {
  const { t, lang } = useI18n()
  if (order.refunds.length === 0) return null
  return (
    <section className="mt-4">
      <h3 className="text-base font-semibold">{t('refunds.title')}</h3>
      <ul className="mt-1 divide-y divide-line border-y border-line text-sm">
        {order.refunds.map((refund) => (
          <li key={refund.id} className="py-2">
            <p className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
              <span>
                {t(`gateway.${refund.gateway}`)} <RefundChip state={refund.state} />
              </span>
              <b className="tabular-nums whitespace-nowrap">{money(refund.amount, lang)}</b>
            </p>
            <RefundDetails refund={refund} />
            <ResolveRefund refund={refund} onResolved={onChange} />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Reference, reason, actor and time of a refund. */
export function RefundDetails({ refund }: { refund: RefundRow }) {
  const { t, lang } = useI18n()
  const id = (label: string, value: string) => (
    <p>
      {label} <span className="tabular-nums break-all select-all">{value}</span>
    </p>
  )
  const failure = refund.state === 'failed' && refund.failure ? gatewayReason(refund.failure, t) : ''
  return (
    <div className="text-stone">
      <p className="wrap-anywhere text-ink">{refund.reason}</p>
      {id(t('refunds.of-payment'), refund.transaction)}
      {refund.reference ? id(t('refunds.their-id'), refund.reference) : id(t('refunds.our-id'), refund.refund_id)}
      {failure ? <p className="wrap-anywhere text-terracotta">{failure}</p> : null}
      {refund.state === 'unknown' ? <p className="text-terracotta">{t('refunds.unknown-text')}</p> : null}
      {refund.state === 'requested' ? <p>{t('refunds.requested-text')}</p> : null}
      <p>
        {formatDateTime(new Date(refund.at), lang)} {refund.by ? t('admin-orders.by', { name: refund.by }) : null}
      </p>
    </div>
  )
}

type Outcome = 'done' | 'failed'

/** Records the outcome of a refund from the gateway's panel, when the shop cannot query it, or cannot send it. */
function ResolveRefund({ refund, onResolved }: { refund: RefundRow; onResolved: (order: AdminOrder) => void }) {
  const { t } = useI18n()
  const { can } = usePermissions()
  const [isOpen, setOpen] = useState(false)
  if ((refund.state !== 'unknown' && refund.state !== 'requested') || !can('payments.refund')) return null
  return (
    <>
      <Button size="small" kind="secondary" className="mt-2" onClick={() => setOpen(true)}>
        {t('refunds.resolve')}
      </Button>
      {isOpen ? <ResolveDialog refund={refund} close={() => setOpen(false)} onResolved={onResolved} /> : null}
    </>
  )
}

interface ResolveDialogProps {
  refund: RefundRow
  close: () => void
  onResolved: (order: AdminOrder) => void
}

function ResolveDialog({ refund, close, onResolved }: ResolveDialogProps) {
  const { t } = useI18n()
  const [typed, setTyped, reset] = usePreservedState(`resolve-refund-${refund.id}`, { outcome: 'done' as Outcome, reference: '' })
  const [error, setError] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  async function save() {
    setBusy(true)
    const written = await adminPost<{ order: AdminOrder }>(`/admin/refunds/resolve/${refund.id}`, typed)
    setBusy(false)
    const order = written.ok ? written.body.order : written.saved?.order
    if (!written.ok) {
      setError(written.errors.reference?.[0])
      if (!written.errors.reference) showFailure(written, t)
    } else showToast(t('admin.saved'))
    // Another person may have been faster.
    if (!order) return
    reset()
    close()
    onResolved(order)
  }
  return (
    <Dialog
      open
      onClose={close}
      closeLabel={t('admin.close')}
      title={t('refunds.resolve')}
      actions={
        <>
          <Button kind="secondary" onClick={close}>
            {t('admin.cancel')}
          </Button>
          <Button busy={isBusy} onClick={save}>
            {t('refunds.resolve')}
          </Button>
        </>
      }
    >
      <p className="mb-3 wrap-anywhere">{t('refunds.resolve-text', { id: refund.refund_id })}</p>
      <div className="space-y-4">
        <SelectField
          label={t('refunds.outcome')}
          value={typed.outcome}
          onChange={(event) => setTyped({ ...typed, outcome: event.target.value as Outcome })}
        >
          {(['done', 'failed'] as const).map((outcome) => (
            <option key={outcome} value={outcome}>
              {t(`refunds.outcome.${outcome}`)}
            </option>
          ))}
        </SelectField>
        {typed.outcome === 'done' ? (
          <TextField
            label={t('refunds.reference')}
            value={typed.reference}
            error={error}
            maxLength={MAX_REFERENCE_LENGTH}
            autoComplete="off"
            className="tabular-nums"
            onChange={(event) => setTyped({ ...typed, reference: event.target.value })}
          />
        ) : null}
      </div>
    </Dialog>
  )
}
