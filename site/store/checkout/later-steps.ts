import { DetailsStep } from './details-step.tsx'
import { EmptyCartDialog } from './empty-cart-dialog.tsx'
import { PlaceOrderDialogs } from './place-order-dialogs.tsx'
import { PlacedOrder } from './placed-order.tsx'
import { PreviewStep } from './preview-step.tsx'
import { requestOf, sendOrder, unansweredOrder } from './send-order.ts'

/** What the checkout loads after its first step: in one file, which takes fewer bytes than six. */
export const laterSteps = {
  DetailsStep,
  EmptyCartDialog,
  PlaceOrderDialogs,
  PlacedOrder,
  PreviewStep,
  requestOf,
  sendOrder,
  unansweredOrder,
}
