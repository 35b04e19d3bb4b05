import { awaitedOnline, type PaymentStatusJson } from '#features/orders/printing/invoice-rules.ts'
import { call } from '#page/api-client.ts'

export interface UnpaidOrder {
  id: number
  amount: number
  until: string
}

/** An order that awaits payment; null when it does not, undefined without a response. */
export async function findUnpaidOrder(id: number, signal: AbortSignal): Promise<UnpaidOrder | null | undefined> {
  const answer = await call<PaymentStatusJson>(`/payments/status?order=${id}`, { cache: 'no-store', signal })
  if (!answer.ok) return undefined
  const amount = awaitedOnline(answer.body)
  return amount > 0 && answer.body.expires_at !== null ? { id, amount, until: answer.body.expires_at } : null
}
