import { type ReactNode, useState } from 'react'
import { PostButton } from '#components/post-button.tsx'
import type { OrderJson, PaymentChoicesJson } from '#features/orders/types.ts'
import { money } from '#features/orders/ui/invoice-amounts.ts'
import { GATEWAY_WAIT_MS, type GatewayName } from '#features/payments/gateway.ts'
import { call } from '#page/api-client.ts'
import { useI18n } from '#page/page-context.tsx'
import { payOrder } from './pay-order.ts'
import { BackToCart } from './back-to-cart.tsx'

interface OtherPaymentsProps {
  order: OrderJson
  choices: PaymentChoicesJson
  /** The query with the key of a signed link. */
  suffix: string
}

type Method = 'advance' | 'cash_on_delivery'
type Choice = GatewayName | Method

const isMethod = (choice: Choice): choice is Method => choice === 'advance' || choice === 'cash_on_delivery'

/** Other payment methods of an unpaid order, and the link to return its products to the cart; or the ways to pay the rest online. */
export function OtherPayments({ order, choices, suffix }: OtherPaymentsProps) {
  const { t, lang } = useI18n()
  const [state, setState] = useState<{ busy: Choice | null; problem: string | null }>({ busy: null, problem: null })

  const { advance, cash_on_delivery, is_rest } = choices
  const due: { due_amount?: number } = is_rest ? { due_amount: choices.amount } : {}

  const send = async (choice: Choice) => {
    setState({ busy: choice, problem: null })
    const problem = await (isMethod(choice) ? change(choice) : payOrder(order.id, suffix, t, choice, due.due_amount))
    if (problem !== null) setState({ busy: null, problem })
  }
  const change = async (method: Method) => {
    const answer = await call<{ order?: OrderJson; message?: string } | null>(`/orders/${order.id}/payment-method${suffix}`, {
      method: 'POST',
      body: { method },
      timeoutMs: GATEWAY_WAIT_MS,
    })
    if (answer.noResponse) return t('place.no-response')
    if (!answer.ok || !answer.body?.order) return answer.body?.message ?? t('unpaid.failed')
    location.assign(`/order/confirmed/${order.id}${suffix}`)
    return null
  }
  const button = (choice: Choice, text: ReactNode) => (
    <PostButton
      key={choice}
      action={`/orders/${order.id}/${isMethod(choice) ? 'payment-method' : 'pay'}${suffix}`}
      fields={isMethod(choice) ? { method: choice } : { payment_gateway: choice, ...due }}
      kind="secondary"
      // An advance is reported by script.
      className={`max-sm:w-full ${choice === 'advance' ? 'needs-script' : ''}`}
      busy={state.busy === choice}
      disabled={state.busy !== null && state.busy !== choice}
      onSend={() => void send(choice)}
    >
      {text}
    </PostButton>
  )
  return (
    <section aria-labelledby="other-payments" className="border-t border-ink/15 pt-3">
      <h3 id="other-payments" className="font-semibold">
        {t(is_rest ? 'unpaid.rest' : 'unpaid.title')}
      </h3>
      <div className="mt-2 flex flex-wrap gap-2.5">
        {choices.online.map((name) => button(name, t(`unpaid.by-${name}`, { amount: money(choices.amount, lang) })))}
        {advance === null ? null : button('advance', t('unpaid.advance', { amount: money(advance, lang) }))}
        {cash_on_delivery ? button('cash_on_delivery', t('payment-state.cod')) : null}
      </div>
      {state.problem === null ? null : (
        <p role="alert" className="mt-2 font-semibold text-terracotta">
          {state.problem}
        </p>
      )}
      {is_rest ? null : (
        <div className="mt-1">
          <BackToCart order={order} suffix={suffix} />
        </div>
      )}
    </section>
  )
}
