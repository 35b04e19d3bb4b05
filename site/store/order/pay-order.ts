import { GATEWAY_WAIT_MS, type GatewayName } from '#features/payments/gateway.ts'
import type { Translate } from '#lib/i18n/translate.ts'
import { call } from '#page/api-client.ts'

/**
 * Opens the payment page of an order, at another gateway when `gateway` is given; `suffix` is the query of a signed link. `due`: the amount due,
 * to pay the rest of a paid order. Resolves to an error text on failure.
 */
export async function payOrder(orderId: number, suffix: string, t: Translate, gateway?: GatewayName, due?: number): Promise<string | null> {
  const answer = await call<{ redirect_url?: string; message?: string } | null>(`/orders/${orderId}/pay${suffix}`, {
    method: 'POST',
    body: { payment_gateway: gateway, due_amount: due },
    timeoutMs: GATEWAY_WAIT_MS,
  })
  if (answer.noResponse) return t('place.no-response')
  if (!answer.ok || !answer.body?.redirect_url) return answer.body?.message ?? t('payment.pay-failed')
  location.assign(answer.body.redirect_url)
  return null
}
