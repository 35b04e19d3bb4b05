import { type FormEvent, useState } from 'react'
import { Button } from '#components/button.tsx'
import { Dialog } from '#components/dialog.tsx'
import { TakaField } from '#components/taka-field.tsx'
import { showToast } from '#components/toast.tsx'
import { ADJUSTMENT_KINDS, type AdjustmentKind } from '#features/ledger/rules.ts'
import { canKeepFee, canWriteOff, dueLeft } from '#features/orders/payments/ledger-rules.ts'
import type { AdminOrder } from '#features/orders/history/order-details.server.ts'
import { money } from '#features/orders/ui/invoice-amounts.ts'
import { poishaToTaka, takaToPoisha } from '#lib/format/money.ts'
import { useI18n } from '#page/page-context.tsx'
import { adminPost } from '../ui/admin-post.ts'
import { usePermissions } from '../ui/use-permissions.ts'
import { useOrderDialog } from './use-order-dialog.ts'
import { ReasonField } from '../ui/reason-field.tsx'

interface AdjustmentsProps {
  order: AdminOrder
  onChange: (order: AdminOrder) => void
}

/** An open dialog: an entry of a kind, or its reversal. */
interface Choice {
  kind: AdjustmentKind
  isReversal: boolean
}

/** The buttons that keep a fee of a refund, write off, and undo both. */
export function Adjustments({ order, onChange }: AdjustmentsProps) {
  const { t } = useI18n()
  const { can } = usePermissions()
  const [choice, setChoice] = useState<Choice | null>(null)
  if (!can('payments.refund')) return null
  const state = { status: order.status, duePoisha: openDue(order), hasReturns: order.has_returns }
  const possible: Record<AdjustmentKind, boolean> = { fee: canKeepFee(state), write_off: canWriteOff(state) }
  const sums: Record<AdjustmentKind, number> = { fee: order.fee, write_off: order.written_off }
  const button = (label: string, opens: Choice) => (
    <Button key={label} size="small" kind="quiet" onClick={() => setChoice(opens)}>
      {label}
    </Button>
  )
  return (
    <>
      {ADJUSTMENT_KINDS.filter((kind) => possible[kind]).map((kind) => button(t(`adjustments.${kind}`), { kind, isReversal: false }))}
      {ADJUSTMENT_KINDS.filter((kind) => sums[kind] !== 0).map((kind) =>
        button(t(`adjustments.reverse-${kind}`), { kind, isReversal: true }),
      )}
      {choice ? <AdjustmentDialog {...choice} order={order} close={() => setChoice(null)} onChange={onChange} /> : null}
    </>
  )
}

/** The amount due that an entry may change: a refund that a gateway is making is spoken for. */
const openDue = (order: AdminOrder) => dueLeft(takaToPoisha(order.due), takaToPoisha(order.refund_under_way))

interface AdjustmentDialogProps extends AdjustmentsProps, Choice {
  close: () => void
}

/** Amount and reason of a fee or a write-off, or the reason of its reversal. The order's version rejects a second press. */
function AdjustmentDialog({ kind, isReversal, order, close, onChange }: AdjustmentDialogProps) {
  const { t } = useI18n()
  const open = Math.abs(poishaToTaka(openDue(order)))
  const { typed, type, errors, setErrors, isBusy, send } = useOrderDialog({
    order,
    name: `${kind}-${isReversal ? 'reversal' : 'entry'}`,
    // A write-off is usually the whole rest; the fee is the clerk's decision.
    initial: { amount: kind === 'write_off' ? String(open) : '', reason: '' },
    onChange,
    close,
  })
  const title = isReversal ? t(`adjustments.reverse-${kind}`) : t(`adjustments.${kind}-title`)

  async function save(event: FormEvent) {
    event.preventDefault()
    if (typed.reason.trim() === '') return setErrors({ reason: [t('admin-orders.reason-required')] })
    const body = { kind, reason: typed.reason, version: order.version, ...(isReversal ? {} : { amount: typed.amount }) }
    const url = `/admin/orders/adjustments/${isReversal ? 'reverse/' : ''}${order.id}`
    if (await send(() => adminPost<{ order: AdminOrder }>(url, body))) showToast(t('admin.saved'))
  }
  return (
    <Dialog open onClose={close} closeLabel={t('admin.close')} title={title}>
      <form noValidate onSubmit={save} className="space-y-4">
        <Explanation kind={kind} isReversal={isReversal} order={order} />
        {isReversal ? null : (
          <TakaField
            label={t('admin-orders.amount')}
            error={errors.amount?.[0]}
            value={typed.amount}
            onChange={(event) => type({ amount: event.target.value })}
          />
        )}
        <ReasonField value={typed.reason} error={errors.reason?.[0]} onChange={(reason) => type({ reason })} />
        <div className="flex flex-wrap justify-end gap-2 max-sm:flex-col-reverse">
          <Button kind="secondary" onClick={close}>
            {t('admin.cancel')}
          </Button>
          <Button type="submit" busy={isBusy} kind={isReversal ? 'primary' : 'danger'}>
            {isReversal ? title : t(`adjustments.${kind}`)}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

/** What an entry does to the money of the order. */
function Explanation({ kind, isReversal, order }: Choice & { order: AdminOrder }) {
  const { t, lang } = useI18n()
  const due = poishaToTaka(openDue(order))
  const open = { amount: money(Math.abs(due), lang) }
  if (isReversal)
    return <p>{t('adjustments.reverse-text', { amount: money(Math.abs(kind === 'fee' ? order.fee : order.written_off), lang) })}</p>
  if (kind === 'fee') return <p>{t('adjustments.fee-text', open)}</p>
  return <p>{t(due > 0 ? 'adjustments.write-off-due' : 'adjustments.write-off-refund', open)}</p>
}
