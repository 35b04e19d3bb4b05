import type { Translate } from '#lib/i18n/translate.ts'
import { call } from '#page/api-client.ts'

/** Sends a code to the phone of an order and opens the code page; `suffix` is the query of a signed link. Resolves to an error text on failure. */
export async function confirmPhone(orderId: number, suffix: string, t: Translate): Promise<string | null> {
  const answer = await call<{ redirect?: string; message?: string } | null>(`/orders/${orderId}/confirm-phone${suffix}`, {
    method: 'POST',
    body: {},
  })
  if (answer.noResponse) return t('place.no-response')
  if (!answer.ok || !answer.body?.redirect) return answer.body?.message ?? t('advance.code-failed')
  location.assign(answer.body.redirect)
  return null
}
