import type { FormEvent } from 'react'
import { Button } from '#components/button.tsx'
import { Dialog } from '#components/dialog.tsx'
import { SelectField, TextField } from '#components/field.tsx'
import { TakaField } from '#components/taka-field.tsx'
import { showToast } from '#components/toast.tsx'
import type { Refundable, RefundRow } from '#features/orders/payments/gateway-payments.server.ts'
import { excessOf, PRICE_KINDS, recoveredOf } from '#features/ledger/rules.ts'
import { ADMIN_METHODS, type AdminMethod, dueLeft } from '#features/orders/payments/ledger-rules.ts'
import type { AdminOrder } from '#features/orders/history/order-details.server.ts'
import { money } from '#features/orders/ui/invoice-amounts.ts'
import { formatTaka, parseAmount, type Poisha, poisha, poishaToTaka, takaToPoisha, ZERO } from '#lib/format/money.ts'
import { isLive } from '#features/orders/rules.ts'
import { GATEWAY_WAIT_MS } from '#features/payments/gateway.ts'
import { useI18n, usePageContext } from '#page/page-context.tsx'
import { MAX_REFERENCE_LENGTH } from '#lib/format/input-limits.ts'
import { adminPost, type PostResult } from '../ui/admin-post.ts'
import { Checkbox } from '../ui/checkbox.tsx'
import { type Question, useConfirm } from '../ui/confirm.tsx'
import { useOrderDialog } from './use-order-dialog.ts'
import { ReasonField } from '../ui/reason-field.tsx'
import { methodName } from '../payments/method-name.ts'

interface LedgerDialogProps {
  kind: 'payments' | 'refunds'
  order: AdminOrder
  /** Cash may go through the drawer of the own open shift. */
  hasDrawer: boolean
  close: () => void
  onChange: (order: AdminOrder) => void
}

/** The value of the method field for a payment that can be refunded through its gateway. */
const keyOf = ({ gateway, transaction }: Refundable) => `${gateway} ${transaction}`

/**
 * Records money that came or went, or refunds a payment through its gateway. The order's version goes along, so that a second press is no
 * second entry. A sum above the amount due, and a refund through a gateway, are confirmed first.
 */
export function LedgerDialog({ kind, order, hasDrawer, close, onChange }: LedgerDialogProps) {
  const { t, lang } = useI18n()
  const refundable = kind === 'refunds' ? order.refundable : []
  const suggested = suggestedAmount(kind, order)
  const { typed, type, errors, setErrors, isBusy, send } = useOrderDialog({
    order,
    name: kind,
    initial: {
      method: refundable[0] ? keyOf(refundable[0]) : kind === 'refunds' ? paidBy(order) : 'cash',
      amount: suggested > 0 ? String(Math.min(suggested, refundable[0]?.left ?? suggested)) : '',
      transaction: '',
      reason: '',
      notify: true,
      drawer: true,
    },
    onChange,
    close,
  })
  const { method, amount, transaction, reason, notify, drawer } = typed
  const takesDrawer = hasDrawer && method === 'cash'
  const { ask, dialog } = useConfirm()
  const questionOf = useLedgerQuestion()
  const payment = refundable.find((one) => keyOf(one) === method) ?? null
  const { due, tooMuch, isOver } = balanceAfter(kind, order, parseAmount(amount) ?? ZERO)
  const words = (sum: Poisha) => ({ amount: formatTaka(sum, lang) })
  const hint = tooMuch > 0 ? (isOver ? t('admin-orders.too-much-ended') : t('admin-orders.too-much', words(tooMuch))) : undefined

  const post = (): Promise<PostResult<{ order: AdminOrder; state?: RefundRow['state'] }>> => {
    const { version } = order
    if (payment) {
      const body = { gateway: payment.gateway, transaction: payment.transaction, amount, reason, version }
      return adminPost(`/admin/orders/gateway-refunds/${order.id}`, body, { timeoutMs: GATEWAY_WAIT_MS })
    }
    const entry = { method, amount, transaction_id: method === 'cash' ? '' : transaction, version, confirmed: tooMuch > 0, notify }
    return adminPost(`/admin/orders/${kind}/${order.id}`, { ...entry, drawer: takesDrawer && drawer })
  }

  async function save(event: FormEvent) {
    event.preventDefault()
    const missing = payment && reason.trim() === '' ? { reason: [t('admin-orders.reason-required')] } : null
    if (missing) return setErrors(missing)
    const question = questionOf(payment, parseAmount(amount) ?? ZERO, { tooMuch, isOver })
    if (question && !(await ask(question))) return
    const written = await send(post)
    if (written === null) return
    const { state } = written
    if (state) showToast(t(`refunds.sent.${state}`), { kind: state === 'failed' || state === 'unknown' ? 'error' : 'success' })
    else showToast(t('admin.saved'))
  }
  const title = t(kind === 'payments' ? 'admin-orders.record-payment' : payment ? 'admin-orders.refund' : 'admin-orders.record-refund')
  return (
    <Dialog open onClose={close} closeLabel={t('admin.close')} title={title}>
      <form noValidate onSubmit={save} className="space-y-4">
        <MethodField refundable={refundable} value={method} error={errors.method?.[0]} onChange={(method) => type({ method })} />
        <TakaField
          label={t('admin-orders.amount')}
          hint={
            hint ?? (due > 0 && kind === 'refunds' && payment?.in_ledger !== false ? t('admin-orders.due-again', words(due)) : undefined)
          }
          error={errors.amount?.[0]}
          value={amount}
          onChange={(event) => type({ amount: event.target.value })}
        />
        {payment ? (
          <ReasonField
            hint={t('refunds.reason-hint')}
            value={reason}
            error={errors.reason?.[0]}
            required={false}
            onChange={(reason) => type({ reason })}
          />
        ) : method === 'cash' ? null : (
          <TextField
            label={t('admin-orders.transaction')}
            error={errors.transaction_id?.[0]}
            value={transaction}
            className="tabular-nums"
            autoComplete="off"
            maxLength={MAX_REFERENCE_LENGTH}
            onChange={(event) => type({ transaction: event.target.value })}
          />
        )}
        <Boxes kind={kind} drawer={takesDrawer ? drawer : null} notify={notify} onChange={type} />
        <DialogButtons label={title} isDanger={kind === 'refunds'} isBusy={isBusy} close={close} />
      </form>
      {dialog}
    </Dialog>
  )
}

/** The question to confirm before an entry is sent; null when there is none. */
function useLedgerQuestion() {
  const { t, lang } = useI18n()
  const words = (sum: Poisha) => ({ amount: formatTaka(sum, lang) })
  return (payment: Refundable | null, amount: Poisha, { tooMuch, isOver }: { tooMuch: Poisha; isOver: boolean }): Question | null => {
    const entered = words(amount)
    if (payment)
      return {
        title: t('refunds.confirm-title', { ...entered, gateway: t(`gateway.${payment.gateway}`) }),
        text: t('refunds.confirm-text'),
        action: t('refunds.confirm-do', entered),
      }
    if (tooMuch <= 0) return null
    return {
      title: t('admin-orders.too-much-title', entered),
      text: isOver ? t('admin-orders.too-much-ended') : t('admin-orders.too-much-text', words(tooMuch)),
      action: t('admin-orders.too-much-do', entered),
    }
  }
}

interface MethodFieldProps {
  /** Payments that can be refunded through their gateway. */
  refundable: Refundable[]
  value: string
  error: string | undefined
  onChange: (method: string) => void
}

function MethodField({ refundable, value, error, onChange }: MethodFieldProps) {
  const { t, lang } = useI18n()
  return (
    <SelectField label={t('admin-orders.method')} error={error} value={value} onChange={(event) => onChange(event.target.value)}>
      {refundable.map((one) => (
        <option key={keyOf(one)} value={keyOf(one)}>
          {t('refunds.through', { gateway: t(`gateway.${one.gateway}`), transaction: one.transaction, left: money(one.left, lang) })}
        </option>
      ))}
      {ADMIN_METHODS.map((one) => (
        <option key={one} value={one}>
          {methodName(t, one)}
        </option>
      ))}
    </SelectField>
  )
}

interface BoxesProps {
  kind: LedgerDialogProps['kind']
  /** Null: the entry is no cash, or there is no drawer. */
  drawer: boolean | null
  notify: boolean
  onChange: (change: { drawer: boolean } | { notify: boolean }) => void
}

function Boxes({ kind, drawer, notify, onChange }: BoxesProps) {
  const { t } = useI18n()
  const { sendsSms } = usePageContext()
  return (
    <>
      {drawer === null ? null : (
        <Checkbox checked={drawer} onChange={(drawer) => onChange({ drawer })}>
          {t(kind === 'payments' ? 'admin-orders.into-drawer' : 'admin-orders.from-drawer')}
        </Checkbox>
      )}
      {kind === 'payments' && sendsSms ? (
        <Checkbox checked={notify} onChange={(notify) => onChange({ notify })}>
          {t('admin-orders.notify')}
        </Checkbox>
      ) : null}
    </>
  )
}

function DialogButtons({ label, isDanger, isBusy, close }: { label: string; isDanger: boolean; isBusy: boolean; close: () => void }) {
  const { t } = useI18n()
  return (
    <div className="flex flex-wrap justify-end gap-2 max-sm:flex-col-reverse">
      <Button kind="secondary" onClick={close}>
        {t('admin.cancel')}
      </Button>
      <Button type="submit" busy={isBusy} kind={isDanger ? 'danger' : 'primary'}>
        {label}
      </Button>
    </div>
  )
}

/** The method of the latest payment that is not refunded yet, if staff refund by it; else cash. */
function paidBy({ payments }: AdminOrder): AdminMethod {
  const money = payments.filter(({ kind }) => kind !== 'rounding' && !PRICE_KINDS.includes(kind))
  const left = (method: string) => money.reduce((sum, row) => sum + (row.method === method ? takaToPoisha(row.amount) : 0), 0)
  const latest = money.filter(({ amount, method }) => amount > 0 && left(method) > 0).pop()
  return ADMIN_METHODS.find((method) => method === latest?.method) ?? 'cash'
}

/** The suggested amount in taka: the amount due, or what is left to refund. */
function suggestedAmount(kind: LedgerDialogProps['kind'], order: AdminOrder): number {
  if (kind === 'payments') return order.money === 'due' ? order.due : 0
  return -poishaToTaka(dueLeft(takaToPoisha(order.due), takaToPoisha(order.refund_under_way)))
}

/** The order's balance after an entry of `amount`, and after refunds that a gateway is making. */
function balanceAfter(kind: LedgerDialogProps['kind'], order: AdminOrder, amount: Poisha) {
  const due = takaToPoisha(order.due)
  const recovered = recoveredOf(amount, { due, writtenOff: takaToPoisha(order.written_off) })
  return {
    isOver: !isLive(order.status),
    tooMuch: kind === 'payments' ? poisha(excessOf(amount, due) - recovered) : ZERO,
    due: poisha(Math.max(0, due + takaToPoisha(order.refund_under_way) + (kind === 'payments' ? -amount : amount))),
  }
}
