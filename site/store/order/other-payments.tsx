import { type ReactNode, useState } from 'react'
import { Button } from '#components/button.tsx'
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

type Choice = GatewayName | 'advance' | 'cash_on_delivery'

/** Other payment methods of an unpaid order, and the link to return its products to the cart; or the ways to pay the rest online. */
export function OtherPayments({ order, choices, suffix }: OtherPaymentsProps) {
  const { t, lang } = useI18n()
  const [state, setState] = useState<{ busy: Choice | null; problem: string | null }>({ busy: null, problem: null })

  const run = async (choice: Choice, work: () => Promise<string | null>) => {
    setState({ busy: choice, problem: null })
    const problem = await work()
    if (problem !== null) setState({ busy: null, problem })
  }
  const change = async (method: 'advance' | 'cash_on_delivery') => {
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
  const button = (choice: Choice, text: ReactNode, work: () => Promise<string | null>) => (
    <Button
      key={choice}
      kind="secondary"
      className="max-sm:w-full"
      busy={state.busy === choice}
      disabled={state.busy !== null && state.busy !== choice}
      onClick={() => void run(choice, work)}
    >
      {text}
    </Button>
  )
  const { advance, cash_on_delivery, is_rest } = choices
  return (
    <section aria-labelledby="other-payments" className="border-t border-ink/15 pt-3">
      <h3 id="other-payments" className="font-semibold">
        {t(is_rest ? 'unpaid.rest' : 'unpaid.title')}
      </h3>
      <div className="mt-2 flex flex-wrap gap-2.5">
        {choices.online.map((name) =>
          button(name, t(`unpaid.by-${name}`, { amount: money(choices.amount, lang) }), () =>
            payOrder(order.id, suffix, t, name, is_rest ? choices.amount : undefined),
          ),
        )}
        {advance === null ? null : button('advance', t('unpaid.advance', { amount: money(advance, lang) }), () => change('advance'))}
        {cash_on_delivery ? button('cash_on_delivery', t('payment-state.cod'), () => change('cash_on_delivery')) : null}
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
