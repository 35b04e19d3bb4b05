import { type FormEvent, useState } from 'react'
import { Button } from '#components/button.tsx'
import { Dialog } from '#components/dialog.tsx'
import { SelectField, TextField } from '#components/field.tsx'
import { showToast } from '#components/toast.tsx'
import { OFFICE_METHODS, type OfficeMethod, tooMuchOf } from '#features/orders/office/ledger-rules.ts'
import type { OfficeOrder } from '#features/orders/office/order-details.server.ts'
import { formatTaka, parseAmount, type Poisha, poisha, takaToPoisha, ZERO } from '#lib/money.ts'
import { isLive } from '#features/orders/rules.ts'
import { useI18n } from '#site/app-root.tsx'
import { adminPost } from '../ui/admin-post.ts'
import { useConfirm } from '../ui/confirm.tsx'
import { useKept } from '../ui/use-kept.ts'

interface LedgerDialogProps {
  kind: 'payments' | 'refunds'
  order: OfficeOrder
  close: () => void
  onChange: (order: OfficeOrder) => void
}

/**
 * Enters money that came or went. A second press is no second payment: the order's version goes with it. More than is due is asked about:
 * a figure too many looks the same.
 */
export function LedgerDialog({ kind, order, close, onChange }: LedgerDialogProps) {
  const { t, lang } = useI18n()
  const wanted = wantedAmount(kind, order)
  // The money that came or went is another after each entry: what was typed of it belongs to the version.
  const [typed, setTyped, forget] = useKept(`${kind}-${order.id}-${order.version}`, {
    method: 'cash' as OfficeMethod,
    amount: wanted > 0 ? String(wanted) : '',
    transaction: '',
  })
  const { method, amount, transaction } = typed
  const change = (field: Partial<typeof typed>) => setTyped({ ...typed, ...field })
  const [errors, setErrors] = useState<Record<string, string[]>>({})
  const [isBusy, setBusy] = useState(false)
  const { ask, dialog } = useConfirm()
  const { due, tooMuch, isOver } = standingAfter(kind, order, parseAmount(amount) ?? ZERO)
  const words = (sum: Poisha) => ({ amount: formatTaka(sum, lang) })
  const hint = tooMuch > 0 ? (isOver ? t('office-orders.too-much-ended') : t('office-orders.too-much', words(tooMuch))) : undefined

  /** Whether it is meant, where it is more than is due. */
  async function isMeant() {
    const entered = words(parseAmount(amount) ?? ZERO)
    return ask({
      title: t('office-orders.too-much-title', entered),
      text: isOver ? t('office-orders.too-much-ended') : t('office-orders.too-much-text', words(tooMuch)),
      action: t('office-orders.too-much-do', entered),
    })
  }

  async function save(event: FormEvent) {
    event.preventDefault()
    const confirmed = tooMuch > 0
    if (confirmed && !(await isMeant())) return
    setBusy(true)
    const body = { method, amount, transaction_id: method === 'cash' ? '' : transaction, version: order.version, confirmed }
    const written = await adminPost<{ order: OfficeOrder }>(`/admin/orders/${kind}/${order.id}`, body)
    setBusy(false)
    if (!written.ok) {
      setErrors(written.errors)
      return showToast(written.message ?? t('office.no-answer'), { kind: 'error' })
    }
    forget()
    onChange(written.body.order)
    showToast(t('office.saved'))
    close()
  }
  const title = t(kind === 'payments' ? 'office-orders.record-payment' : 'office-orders.record-refund')
  return (
    <Dialog open onClose={close} closeLabel={t('office.close')} title={title}>
      <form noValidate onSubmit={save} className="space-y-4">
        <SelectField
          label={t('office-orders.method')}
          error={errors.method?.[0]}
          value={method}
          onChange={(event) => change({ method: event.target.value as OfficeMethod })}
        >
          {OFFICE_METHODS.map((one) => (
            <option key={one} value={one}>
              {t(`method.${one}`)}
            </option>
          ))}
        </SelectField>
        <TextField
          label={t('office-orders.amount')}
          hint={hint ?? (due > 0 && kind === 'refunds' ? t('office-orders.due-again', words(due)) : undefined)}
          error={errors.amount?.[0]}
          value={amount}
          inputMode="decimal"
          className="figures"
          autoComplete="off"
          onChange={(event) => change({ amount: event.target.value })}
        />
        {method === 'cash' ? null : (
          <TextField
            label={t('office-orders.transaction')}
            error={errors.transaction_id?.[0]}
            value={transaction}
            className="figures"
            autoComplete="off"
            maxLength={100}
            onChange={(event) => change({ transaction: event.target.value })}
          />
        )}
        <div className="flex justify-end gap-2">
          <Button kind="secondary" onClick={close}>
            {t('office.cancel')}
          </Button>
          <Button type="submit" busy={isBusy} kind={kind === 'refunds' ? 'danger' : 'primary'}>
            {title}
          </Button>
        </div>
      </form>
      {dialog}
    </Dialog>
  )
}

/** The amount that is most likely meant, in taka: what is due, or what is to go back. */
function wantedAmount(kind: LedgerDialogProps['kind'], order: OfficeOrder): number {
  if (kind === 'payments') return order.money === 'due' ? order.due : 0
  return -order.due
}

/** What an amount would make of the order's money. */
function standingAfter(kind: LedgerDialogProps['kind'], order: OfficeOrder, amount: Poisha) {
  const due = takaToPoisha(order.due)
  return {
    isOver: !isLive(order.status),
    tooMuch: kind === 'payments' ? tooMuchOf(amount, due) : ZERO,
    due: poisha(Math.max(0, due + (kind === 'payments' ? -amount : amount))),
  }
}
