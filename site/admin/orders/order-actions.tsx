import { type FormEvent, useRef, useState } from 'react'
import { Button } from '#components/button.tsx'
import { Dialog } from '#components/dialog.tsx'
import type { AdminOrder } from '#features/orders/history/order-details.server.ts'
import { isSent, mayBePartlyDelivered, needsReason, type OrderStatus, stepKind } from '#features/orders/rules.ts'
import { formatTaka, takaToPoisha } from '#lib/format/money.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { useI18n } from '#page/page-context.tsx'
import { useConfirm } from '../ui/confirm.tsx'
import { Menu } from '../ui/menu.tsx'
import { usePreservedState } from '../ui/use-preserved-state.ts'
import { useDeliveryCheck } from './delivery-check.tsx'
import { canReturn } from './return-values.ts'
import { ReasonField } from '../ui/reason-field.tsx'

/** The answers that a step needs. */
export interface StepAnswer {
  reason: string
  /** Cash collected at the door, in taka. */
  collected: string | undefined
  /** It goes into the drawer of the own open shift. */
  drawer: boolean | undefined
}

const NO_ANSWER: StepAnswer = { reason: '', collected: undefined, drawer: undefined }

interface OrderActionsProps {
  order: AdminOrder
  isBusy: boolean
  onStep: (to: OrderStatus) => void
  onReturn: () => void
}

/** The next step of an order as a button; ordering again, returned products, cancelling, returning and reopening in a menu. */
export function OrderActions({ order, isBusy, onStep, onReturn }: OrderActionsProps) {
  const { t } = useI18n()
  const steps = order.statuses.filter((to) => to !== order.status)
  const [next, others] = [true, false].map((isNext) => steps.filter((to) => (stepKind(order.status, to) === 'forward') === isNext))
  const label = useStepLabel(order)
  return (
    <>
      {next!.map((to) => (
        <Button key={to} size="small" busy={isBusy} data-step={to} onClick={() => onStep(to)} className="sm:order-last">
          {label(to)}
        </Button>
      ))}
      <Menu
        label={t('admin-orders.more')}
        disabled={isBusy}
        items={[
          { key: 'again', label: t('admin-orders.order-again'), run: () => location.assign(`/admin/orders/create?from=${order.id}`) },
          ...(canReturn(order) ? [{ key: 'return', label: t('returns.open'), run: onReturn }] : []),
          ...others!.map((to) => ({ key: to, label: label(to), isDanger: needsReason(to), run: () => onStep(to) })),
        ]}
      />
    </>
  )
}

function useStepLabel(order: AdminOrder) {
  const { t } = useI18n()
  return (to: OrderStatus): string => {
    if (stepKind(order.status, to) === 'reopen') return t('admin-orders.step.reopen')
    if (to === 'on_delivery' && order.is_collection) return t('admin-orders.step.ready')
    return to === 'placed' ? t('admin-orders.step.reopen') : t(`admin-orders.step.${to}`)
  }
}

/**
 * The questions before a step: the reason of an end, the delivery check, and a plain question where neither asks and the step cannot be
 * taken back. All name the money that was paid, an end also what waits for verification. `ask` resolves to null without consent. A typed reason
 * stays until `clearReason`: the step may be refused. `wasLost`: the page may not know what an attempt recorded. A collected order is most likely paid into the drawer of an open shift, a delivered one at
 * the door.
 */
export function useStepQuestions(order: AdminOrder) {
  const { t, lang } = useI18n()
  const { check, dialog: checkDialog } = useDeliveryCheck({ usesDrawer: order.is_collection })
  const { ask: askPlain, dialog: plainDialog } = useConfirm()
  const [ending, setEnding] = useState<OrderStatus | null>(null)
  const [reason, setReason, clearReason] = usePreservedState(`end-${order.id}`, '', order.version)
  const answer = useRef<(reason: string | null) => void>(() => {})
  const label = useStepLabel(order)
  const id = localizeDigits(lang, String(order.id))
  const paid = order.paid > 0 ? formatTaka(takaToPoisha(order.paid), lang) : null

  function askReason(to: OrderStatus): Promise<string | null> {
    setEnding(to)
    return new Promise((resolve) => (answer.current = resolve))
  }
  const askOut = (to: OrderStatus, wasLost: boolean) =>
    askPlain({
      title: t('admin-orders.step-title', { step: label(to), id }),
      text: [
        ...(wasLost ? [] : [paid ? t('admin-orders.paid-so-far', { amount: paid }) : t('admin-orders.paid-nothing')]),
        t(to === 'delivered' || to === 'completed' ? `admin-orders.step-${to}-text` : 'admin-orders.step-out-text'),
      ].join(' '),
      action: label(to),
      kind: 'primary',
    })

  async function ask(to: OrderStatus, { wasLost = false } = {}): Promise<StepAnswer | null> {
    if (needsReason(to)) {
      const reason = await askReason(to)
      return reason === null ? null : { ...NO_ANSWER, reason }
    }
    if (!isSent(to) || stepKind(order.status, to) === 'reopen') return NO_ANSWER
    const collected = await check([order.id], to, () => askOut(to, wasLost))
    return collected && { reason: '', collected: collected.amounts.get(order.id), drawer: collected.drawer }
  }
  const close = (reason: string | null) => {
    answer.current(reason)
    setEnding(null)
  }
  const reasonDialog = ending ? (
    <ReasonDialog
      key="reason"
      reason={reason}
      setReason={setReason}
      title={t(ending === 'cancelled' ? 'admin-orders.cancel-title' : 'admin-orders.return-title', { id })}
      text={[
        paid ? t('admin-orders.cancel-paid', { amount: paid }) : t('admin-orders.paid-nothing'),
        ...(order.advances.some(({ state }) => state === 'waiting') ? [t('held.ask-verification')] : []),
        ...(order.reviews.length > 0 ? [t('held.ask-review')] : []),
        ...(ending === 'cancelled' && mayBePartlyDelivered(order) ? [t('door.cancel-first-made')] : []),
      ].join(' ')}
      action={t(ending === 'cancelled' ? 'admin-orders.cancel-go' : 'admin-orders.return-go')}
      onAnswer={close}
    />
  ) : null
  return { ask, clearReason, dialogs: [checkDialog, plainDialog, reasonDialog] }
}

interface ReasonDialogProps {
  reason: string
  setReason: (reason: string) => void
  title: string
  text: string
  action: string
  onAnswer: (reason: string | null) => void
}

function ReasonDialog({ reason, setReason, title, text, action, onAnswer }: ReasonDialogProps) {
  const { t } = useI18n()
  const [hasTried, setTried] = useState(false)
  const isMissing = reason.trim() === ''
  function submit(event: FormEvent) {
    event.preventDefault()
    setTried(true)
    if (!isMissing) onAnswer(reason)
  }
  return (
    <Dialog open onClose={() => onAnswer(null)} closeLabel={t('admin.close')} title={title}>
      <form noValidate onSubmit={submit} className="space-y-4">
        <p>{text}</p>
        <ReasonField
          value={reason}
          error={hasTried && isMissing ? t('admin-orders.reason-required') : undefined}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- opened by a press
          autoFocus
          onChange={setReason}
        />
        <div className="flex flex-wrap justify-end gap-2 max-sm:flex-col-reverse">
          <Button kind="secondary" onClick={() => onAnswer(null)}>
            {t('admin.cancel')}
          </Button>
          <Button type="submit" kind="danger">
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
