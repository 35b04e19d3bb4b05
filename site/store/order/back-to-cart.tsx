import { useState } from 'react'
import { Button } from '#components/button.tsx'
import { Dialog } from '#components/dialog.tsx'
import type { AgainJson } from '#features/orders/history/reorder-rules.ts'
import { isEnded } from '#features/ledger/rules.ts'
import type { OrderJson } from '#features/orders/types.ts'
import { GATEWAY_WAIT_MS } from '#features/payments/gateway.ts'
import { call } from '#page/api-client.ts'
import { useI18n } from '#page/page-context.tsx'
import { AgainDialog } from '../account/reorder-dialog.tsx'
import { storeCoupon } from '../checkout/use-draft.ts'
import { type Filled, fillCart } from './fill-cart.ts'

interface BackToCartProps {
  order: OrderJson
  /** The query with the key of a signed link. */
  suffix: string
}

/**
 * Puts the products of an order back into the cart: immediately for an ended order; after a confirmation for an unpaid one, which is then
 * cancelled. Unavailable products are named.
 */
export function BackToCart({ order, suffix }: BackToCartProps) {
  const { t } = useI18n()
  const hasEnded = isEnded(order.status)
  const [isAsking, setAsked] = useState(false)
  const [state, setState] = useState<{ busy: boolean; problem: string | null }>({ busy: false, problem: null })
  const [outcome, setOutcome] = useState<Filled | null>(null)

  const take = async () => {
    setState({ busy: true, problem: null })
    const answer = await call<(AgainJson & { message?: string }) | null>(`/orders/${order.id}/to-cart${suffix}`, {
      method: 'POST',
      body: {},
      timeoutMs: GATEWAY_WAIT_MS,
    })
    if (answer.noResponse) return setState({ busy: false, problem: t('place.no-response') })
    if (!answer.ok || !answer.body) return setState({ busy: false, problem: answer.body?.message ?? t('unpaid.failed') })
    const filled = fillCart(answer.body)
    if (order.coupon !== null) storeCoupon(order.coupon.code)
    const isWhole = filled.missing.length === 0 && filled.notAdded.length === 0 && filled.lines.every((line) => !line.less)
    if (isWhole) return location.assign('/cart')
    setAsked(false)
    setState({ busy: false, problem: null })
    setOutcome(filled)
  }

  const problem =
    state.problem === null ? null : (
      <p role="alert" className="font-semibold text-terracotta">
        {state.problem}
      </p>
    )
  return (
    <>
      {hasEnded ? (
        <Button className="needs-script" busy={state.busy} onClick={() => void take()}>
          {t('unpaid.back-to-cart')}
        </Button>
      ) : (
        <Button kind="quiet" className="needs-script -ms-4 underline" onClick={() => setAsked(true)}>
          {t('unpaid.change')}
        </Button>
      )}
      {hasEnded ? problem : null}
      <Dialog
        open={isAsking}
        onClose={() => setAsked(false)}
        title={t('unpaid.change-title')}
        closeLabel={t('shell.close')}
        actions={
          <>
            <Button kind="secondary" onClick={() => setAsked(false)}>
              {t('unpaid.keep')}
            </Button>
            <Button busy={state.busy} onClick={() => void take()}>
              {t('unpaid.back-to-cart')}
            </Button>
          </>
        }
      >
        <p>{t('unpaid.change-text')}</p>
        {order.lines.some((line) => line.tag_number !== null) ? <p className="mt-1">{t('unpaid.change-animal')}</p> : null}
        {problem}
      </Dialog>
      {/* Closing the dialog shows the cancelled order. */}
      <AgainDialog again={{ outcome, close: () => (hasEnded ? setOutcome(null) : location.reload()) }} />
    </>
  )
}
