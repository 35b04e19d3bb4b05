import type { ScaleLabelRule } from '#features/settings/settings.ts'
import { useI18n } from '#page/page-context.tsx'
import { useConfirm } from '../admin/ui/confirm.tsx'
import { PosState } from './connection-state.tsx'
import { PosCustomer } from './customer.tsx'
import { type QueuedSale, shortNumber } from './device/outbox-rules.ts'
import { LiveWeight } from './hardware/live-weight.tsx'
import { useCustomerDisplay } from './hardware/use-customer-display.ts'
import { PosPayment } from './payment.tsx'
import { newSale } from './sale.ts'
import { SaleDialogs } from './sale-dialogs.tsx'
import { PosLines } from './sale-lines.tsx'
import { PosBar, PosSummary } from './sale-summary.tsx'
import { SaleToolbar } from './sale-toolbar.tsx'
import { ScanBox } from './scan-box.tsx'
import type { QueuedReason } from './submit-rules.ts'
import { type PosSaleOptions, usePosSale } from './use-pos-sale.ts'

/** The current sale: scan box and lines on the left; totals, customer and payment on the right. */
export function PosSale({ areas, scales, cashier, onQueued }: PosSaleOptions & { scales: ScaleLabelRule[] }) {
  const { t } = useI18n()
  const confirm = useConfirm()
  const model = usePosSale({ areas, cashier, onQueued: handleQueued })
  const { sale, state, isOnline, offlineApproval, scans, submission, change } = model
  const { submit, busy, errors } = submission
  useCustomerDisplay(sale, state)

  /** Products are handed over with an offline receipt; an animal may already be sold, so it is not. */
  function handleQueued(queued: QueuedSale, reason: QueuedReason) {
    if (!queued.sale?.lines.some(({ isAnimal }) => isAnimal)) return onQueued(queued, reason)
    void confirm.ask({
      title: t('pos.animal-waits'),
      text: t('pos.animal-waits-text', { number: shortNumber(queued.key) }),
      action: t('admin.close'),
      kind: 'primary',
    })
  }
  async function clear() {
    const needsConfirmation = sale.lines.length > 0
    if (needsConfirmation && !(await confirm.ask({ title: t('pos.clear-title'), text: t('pos.clear-text'), action: t('pos.clear') })))
      return
    model.setSale(newSale())
    model.box.current?.focus()
  }
  const summary = { count: sale.lines.length, state, busy, onSubmit: () => void submit(), onProblem: model.focusProblem }
  return (
    <div className="grid gap-4 pb-28 lg:grid-cols-[minmax(0,1fr)_24rem] lg:pb-0">
      <div className="min-w-0">
        <PosState mustSignIn={model.device.mustSignIn} onShowUnsent={() => model.setDialog('unsent')} />
        <ScanBox
          box={model.box}
          scanRef={scans.scanRef}
          scales={scales}
          rejection={busy ? t('pos.placing') : null}
          onAdd={scans.addProduct}
        />
        <SaleToolbar model={model} onClear={() => void clear()} />
        <LiveWeight lines={sale.lines} last={scans.last} onTake={(id, quantity) => model.changeLine(id, { quantity })} />
        <PosLines
          lines={sale.lines}
          last={scans.last}
          isOnline={isOnline}
          needsSupervisor={offlineApproval.rejection !== null}
          onChange={model.changeLine}
          onRemove={model.removeLine}
        />
      </div>
      <div className="space-y-4 lg:sticky lg:top-4 lg:max-h-[calc(100dvh-2rem)] lg:self-start lg:overflow-y-auto lg:p-1">
        <PosSummary {...summary} />
        <PosCustomer sale={sale} areas={areas} rejection={state.rejection} onChange={change} />
        <PosPayment
          sale={sale}
          state={state}
          errors={errors}
          discountRejection={offlineApproval.isDiscountTooHigh && !isOnline ? offlineApproval.rejection : null}
          onChange={change}
        />
      </div>
      <PosBar {...summary} />
      {confirm.dialog}
      <SaleDialogs model={model} cashier={cashier} areas={areas} />
    </div>
  )
}
