import { useState } from 'react'
import { Button } from '#components/button.tsx'
import { Skeleton } from '#components/skeleton.tsx'
import { withoutOrdered } from '#features/cart/quote-lines-rules.ts'
import { changeCart } from '#features/cart/ui/cart-store.ts'
import { cartBlocker, placingBlocker } from '#features/orders/checkout/checkout-rules.ts'
import type { CustomerOrderRequest, PlacingOutcome } from '#features/orders/checkout/order-request-rules.ts'
import { formatTaka } from '#lib/format/money.ts'
import type { Translate } from '#lib/i18n/translate.ts'
import { useI18n } from '#page/page-context.tsx'
import { CheckoutHeader } from './checkout-header.tsx'
import { CartStep, Warning } from './cart-step.tsx'
import { LAST_ORDER_KEY } from './empty-cart.tsx'
import { type MissingStep, Missing, missingStep } from './missing-step.tsx'
import { FREE_ORDER_KEY, writeSession } from '#page/session-notes.ts'
import { StepIndicator } from './step-indicator.tsx'
import { type Checkout, type CheckoutShop, useCheckout } from './use-checkout.ts'
import { type LaterSteps, useLaterSteps } from './use-later-steps.ts'
import { usePlaceOrder } from './use-place-order.ts'
import { DETAILS_FORM, useStepHead } from './use-step.ts'
import { StoreLayout } from '../layout.tsx'

export type Props = CheckoutShop

/** Checkout in three steps: cart, details, preview. */
export function Page(loaded: Props) {
  const { t } = useI18n()
  const [shop, setShop] = useState(loaded)
  const checkout = useCheckout(shop)
  const { readiness, step } = checkout
  const [later, isLate] = useLaterSteps(step !== 'cart')
  const { state: placing, place, reset } = usePlaceOrder()
  const [agreed, setAgreed] = useState(false)
  const [warned, setWarned] = useState(false)
  const [emptyWarning, setEmptyWarning] = useState(false)

  const { unanswered, cartProblem, blocker } = blockersOf(checkout, later, agreed)
  const missing = missingStep(blocker, t)
  const isDone = placing.state === 'answered' && placing.outcome.kind !== 'failed'

  const proceed = () => {
    if (readiness.isEmpty) return setEmptyWarning(true)
    setWarned(cartProblem !== null)
    if (cartProblem === null) return checkout.goOn('details')
    const marked = findMarkedLine(checkout)
    if (marked) document.getElementById(`line-${marked.item.productId}`)?.focus()
  }

  const placeOrder = async () => {
    if (blocker !== null || later === null) return
    const request = unanswered ?? later.requestOf(checkout)
    if (request === null) return
    const outcome = await place(() => later.sendOrder(request, checkout.quote))
    if (outcome !== null) follow(outcome, request)
  }

  // The products leave the cart when the order exists, not before.
  const follow = (outcome: PlacingOutcome, { products }: CustomerOrderRequest) => {
    if (outcome.kind === 'failed') {
      checkout.markGone(outcome.goneIds)
      if (outcome.nextDay) checkout.change({ deliveryOn: outcome.nextDay })
      if (outcome.noCollection) {
        setShop({ ...shop, collection: null })
        checkout.change({ isCollection: false, deliveryOn: null })
        checkout.goBack('details')
      }
      checkout.reload()
      if (outcome.backToCart) checkout.goBack('cart')
      return
    }
    changeCart((items) => withoutOrdered(items, products))
    checkout.change({ choice: null, deliveries: 1, deliveryOn: null, part: '', couponCode: null })
    if (outcome.orderId !== null) writeSession(LAST_ORDER_KEY, outcome.orderId)
    if (outcome.kind === 'pay') location.assign(outcome.url)
    if (outcome.kind === 'pay-later') location.assign(`/invoice/${outcome.orderId}`)
    if (outcome.kind === 'free') writeSession(FREE_ORDER_KEY, outcome.orderId)
    // Replaces the preview: Back from the confirmation must not open the form of a placed order.
    if (outcome.kind === 'thanks' || outcome.kind === 'free')
      location.replace(outcome.orderId === null ? '/' : `/order/confirmed/${outcome.orderId}`)
  }

  const warning = warningOf(warned, cartProblem, t)
  const busy = placing.state === 'busy'
  return (
    <StoreLayout
      header={<CheckoutHeader />}
      bar={
        checkout.ready && !isDone && !readiness.isEmpty ? (
          <Bar
            checkout={checkout}
            isLoading={later === null || checkout.book.isAdding}
            warning={warning}
            missing={missing}
            busy={busy}
            onProceed={proceed}
            onPlace={placeOrder}
          />
        ) : undefined
      }
    >
      {/* At least one screen high, so that the footer does not move while the cart replaces the placeholder. */}
      <div className="mx-auto min-h-[calc(100lvh-6rem)] max-w-6xl px-4 py-5 lg:py-8">
        {isDone ? later && <later.PlacedOrder outcome={placing.outcome} /> : <Head checkout={checkout} />}
        {isDone ? null : !checkout.ready ? (
          <Loading />
        ) : step === 'cart' ? (
          <CartStep checkout={checkout} warning={warning} onProceed={proceed} />
        ) : later === null ? (
          <Loading isLate={isLate} />
        ) : step === 'details' ? (
          <later.DetailsStep checkout={checkout} onBack={() => checkout.goBack('cart')} onProceed={() => checkout.goOn('preview')} />
        ) : (
          <later.PreviewStep checkout={checkout} agreed={agreed} onAgree={setAgreed} missing={missing} busy={busy} onPlace={placeOrder} />
        )}
      </div>
      {later === null ? null : (
        <>
          <later.PlaceOrderDialogs state={placing} onClose={reset} />
          <later.EmptyCartDialog isOpen={emptyWarning} close={() => setEmptyWarning(false)} />
        </>
      )}
    </StoreLayout>
  )
}

interface Blockers {
  unanswered: CustomerOrderRequest | null
  cartProblem: ReturnType<typeof cartBlocker>
  blocker: ReturnType<typeof placingBlocker>
}

/**
 * What blocks the cart step and the order. Nothing does where the last request had no answer and its order may hold the products that are
 * unavailable now: it can be sent again.
 */
function blockersOf(checkout: Checkout, later: LaterSteps | null, agreed: boolean): Blockers {
  const unanswered = later && later.unansweredOrder(checkout)
  if (unanswered) return { unanswered, cartProblem: null, blocker: null }
  return { unanswered, cartProblem: cartBlocker(checkout.readiness), blocker: placingBlocker({ ...checkout, agreed }) }
}

/** The problem of the cart, once its next step was tried. */
function warningOf(wasTried: boolean, problem: Blockers['cartProblem'], t: Translate): string | null {
  return wasTried && problem !== null ? t(problem) : null
}

/** The first line that keeps the cart from the next step. */
function findMarkedLine({ lines, quote }: Checkout) {
  return lines.find(
    (line) =>
      line.gone ||
      line.change !== null ||
      quote.problems.some((problem) => 'productId' in problem && problem.productId === line.item.productId),
  )
}

const TITLES = { cart: 'cart.title', details: 'checkout.details-title', preview: 'checkout.preview-title' } as const

function Head({ checkout: { step, goBack } }: { checkout: Checkout }) {
  const { t } = useI18n()
  const head = useStepHead(step)
  return (
    <div className="mb-5">
      <div className="mb-5 max-w-xl">
        <StepIndicator step={step} onBack={goBack} />
      </div>
      <h1 ref={head} tabIndex={-1} className="text-2xl outline-none sm:text-3xl">
        {t(TITLES[step])}
      </h1>
      <p className="mt-1 text-stone">{t(`cart.side.${step}`)}</p>
    </div>
  )
}

interface BarProps {
  checkout: Checkout
  /** The step is not loaded yet: its button would submit a form that does not exist. Or its address is being saved. */
  isLoading: boolean
  warning: string | null
  missing: MissingStep | null
  busy: boolean
  onProceed: () => void
  onPlace: () => void
}

/** Below the sum where letters are large. */
const IN_BAR = 'grow basis-40'

/** The main action of the step, at the bottom of a phone. */
function Bar({ checkout: { step, quote, option }, isLoading, warning, missing, busy, onProceed, onPlace }: BarProps) {
  const { t, lang } = useI18n()
  const payNow = step === 'preview' && option !== null && option.problem === null && quote.payable > 0
  return (
    <>
      {step === 'cart' && warning !== null ? (
        <div className="-mt-1 mb-2">
          <Warning text={warning} />
        </div>
      ) : null}
      {step === 'preview' && missing !== null ? (
        <div className="-mt-2 mb-1">
          <Missing missing={missing} />
        </div>
      ) : null}
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <p className="tabular-nums shrink-0 leading-tight">
          <span className="block text-sm text-stone">{t(payNow ? 'summary.pay-now' : 'summary.total')}</span>
          <span className="text-lg font-semibold">{formatTaka(payNow ? quote.payable : quote.total, lang)}</span>
        </p>
        {step === 'cart' ? (
          <Button size="large" onClick={onProceed} className={`${IN_BAR} text-base!`}>
            {t('cart.proceed')}
          </Button>
        ) : null}
        {step === 'details' ? (
          <Button size="large" className={IN_BAR} type="submit" form={DETAILS_FORM} busy={isLoading}>
            {t('checkout.proceed-to-preview')}
          </Button>
        ) : null}
        {step === 'preview' ? (
          <Button size="large" className={IN_BAR} disabled={missing !== null} busy={busy || isLoading} onClick={onPlace}>
            {t(busy ? 'place.placing' : 'place.order')}
          </Button>
        ) : null}
      </div>
    </>
  )
}

/** A placeholder with the size of two lines and a summary, until the cart or the step is read; where that takes too long, what to do. */
function Loading({ isLate = false }: { isLate?: boolean }) {
  const { t } = useI18n()
  if (isLate)
    return (
      <>
        <Warning text={t('shell.not-loaded')} />
        <Button className="mt-4" onClick={() => location.reload()}>
          {t('checkout.again')}
        </Button>
      </>
    )
  return (
    <div role="status" aria-label={t('checkout.loading')} className="grid gap-5 lg:grid-cols-[1fr_22rem] lg:gap-8">
      <div className="needs-script space-y-3">
        <Skeleton className="h-36 w-full" />
        <Skeleton className="h-36 w-full" />
      </div>
      <div className="needs-script">
        <Skeleton className="h-56 w-full" />
      </div>
      <p className="without-script rounded-card bg-tag-100 p-4 font-semibold">{t('checkout.noscript')}</p>
    </div>
  )
}
