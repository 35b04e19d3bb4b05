import { ServerOnly } from '#components/server-only.tsx'
import { isToSend } from '#features/orders/rules.ts'
import type { OrderJson } from '#features/orders/types.ts'
import { Steps } from './next-steps.static.tsx'

export interface NextStepsProps {
  order: OrderJson
  weighingDays: number | null
}

/** The next steps of an order that is not sent yet. */
export function NextSteps(props: NextStepsProps) {
  return isToSend(props.order.status) ? <ServerOnly id="next-steps">{import.meta.env.SSR ? <Steps {...props} /> : null}</ServerOnly> : null
}
