import { useState } from 'react'
import type { OrderJson } from '#features/orders/types.ts'
import type { AdvanceReport } from '#features/orders/ui/advance-form.tsx'
import { call } from '#page/api-client.ts'
import { useI18n } from '#page/page-context.tsx'
import { confirmPhone } from './confirm-phone.ts'
import { payOrder } from './pay-order.ts'
import { useAwaitedMoney } from './use-awaited-money.ts'
import { useFreshOnReturn } from './use-fresh-on-return.ts'

/** An order page and its actions. `viewKey`: the key of the signed link that opened the page. */
export function useOrder(first: OrderJson, viewKey: string | null) {
  const { t } = useI18n()
  const [order, setOrder] = useState(first)
  useFreshOnReturn()
  const suffix = viewKey === null ? '' : `?key=${encodeURIComponent(viewKey)}`

  const report = async (advance: AdvanceReport) => {
    const answer = await call<{ advance?: OrderJson['advances'][number]; message?: string } | null>(`/orders/${order.id}/advance`, {
      method: 'POST',
      body: { ...advance, key: viewKey },
    })
    if (answer.noResponse) return t('place.no-response')
    const sent = answer.body?.advance
    if (!answer.ok || !sent) return answer.body?.message ?? t('advance.failed')
    setOrder((before) => ({ ...before, advances: [...before.advances.filter((one) => one.transaction_id !== sent.transaction_id), sent] }))
    return null
  }

  return {
    order,
    suffix,
    waiting: useAwaitedMoney(order, suffix),
    report,
    pay: () => payOrder(order.id, suffix, t),
    confirmPhone: () => confirmPhone(order.id, suffix, t),
  }
}
