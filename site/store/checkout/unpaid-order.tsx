import { useEffect, useState } from 'react'
import { Button, ButtonLink } from '#components/button.tsx'
import { InfoIcon } from '#components/icons.tsx'
import { formatTaka, takaToPoisha } from '#lib/format/money.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { formatDateTime } from '#lib/format/time.ts'
import { useI18n } from '#page/page-context.tsx'
import { payOrder } from '../order/pay-order.ts'
import type { UnpaidOrder } from './find-unpaid-order.ts'

/** Shows how long the order is held, with buttons to pay and to open its invoice. */
export function UnpaidOrderNote({ order }: { order: UnpaidOrder }) {
  const { t, lang } = useI18n()
  const [state, setState] = useState<{ busy: boolean; problem: string | null }>({ busy: false, problem: null })
  const pay = async () => {
    setState({ busy: true, problem: null })
    const problem = await payOrder(order.id, '', t)
    if (problem !== null) setState({ busy: false, problem })
  }
  // Restored from the back/forward cache after the payment page, the button must be enabled again.
  useEffect(() => {
    const onPageShow = (event: PageTransitionEvent) => {
      if (event.persisted) setState({ busy: false, problem: null })
    }
    window.addEventListener('pageshow', onPageShow)
    return () => window.removeEventListener('pageshow', onPageShow)
  }, [])
  return (
    <section role="status" className="mx-auto mb-5 max-w-xl rounded-card border-s-4 border-mango bg-mango-100 px-4 py-4">
      <h2 className="flex items-start gap-2 text-xl">
        <InfoIcon size={24} className="mt-0.5 shrink-0" />
        {t('cart.order-waits', { id: localizeDigits(lang, String(order.id)) })}
      </h2>
      <p className="mt-1">{t('payment-state.waiting-text', { until: formatDateTime(new Date(order.until), lang) })}</p>
      <div className="mt-4 flex flex-col gap-3 sm:flex-row">
        <Button size="large" className="sm:flex-1" busy={state.busy} onClick={pay}>
          {state.busy ? t('payment.opening') : t('payment.pay-now', { amount: formatTaka(takaToPoisha(order.amount), lang) })}
        </Button>
        <ButtonLink size="large" kind="secondary" className="sm:flex-1" href={`/invoice/${order.id}`}>
          {t('cart.invoice')}
        </ButtonLink>
      </div>
      {state.problem === null ? null : (
        <p role="alert" className="mt-3 font-semibold text-terracotta">
          {state.problem}
        </p>
      )}
    </section>
  )
}
