import { ApproveDialog } from './approve-dialog.tsx'
import { ExchangeApproval } from './exchange-approval.tsx'
import { isEntered } from './held-on-device.ts'
import { HoldDialog, RecallDialog } from './held-dialogs.tsx'
import { UnsentDialog } from './unsent-sales-dialog.tsx'
import type { PosSaleModel } from './use-pos-sale.ts'
import type { Cashier } from './use-submit-sale.ts'

interface SaleDialogsProps {
  model: PosSaleModel
  cashier: Cashier
}

/** Dialogs of the POS: hold, recall, approve, and unsent sales. */
export function SaleDialogs({ model, cashier }: SaleDialogsProps) {
  const { sale, state, holding, dialog, closeDialog, leaveDialog, exchange } = model
  const { needed, endApproval, submit } = model.submission
  return (
    <>
      {dialog === 'hold' ? (
        <HoldDialog
          saleKey={sale.key}
          name={sale.name}
          onClose={closeDialog}
          onHold={(name) => {
            holding.hold(name)
            leaveDialog()
          }}
        />
      ) : null}
      {dialog === 'recall' ? (
        <RecallDialog
          held={holding.held}
          isOnline={holding.isOnline}
          isEntered={isEntered(sale)}
          onClose={closeDialog}
          onRecall={(id) => {
            void holding.recall(id)
            leaveDialog()
          }}
        />
      ) : null}
      {needed ? (
        <ApproveDialog
          sale={sale}
          needed={needed}
          total={state.toPay}
          onClose={endApproval}
          onApproved={(terms) => {
            const approval = { terms, at: Date.now() }
            endApproval()
            model.change({ approval })
            void submit(approval)
          }}
        />
      ) : null}
      {exchange.pending ? <ExchangeApproval {...exchange.pending} onClose={exchange.endPending} /> : null}
      <UnsentDialog
        open={dialog === 'unsent'}
        onClose={closeDialog}
        cashier={cashier}
        shop={model.shop}
        screenKey={isEntered(sale) ? sale.key : null}
        onEdit={model.edit}
        onSend={model.device.sendNow}
      />
    </>
  )
}
