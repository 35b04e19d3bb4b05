import type { FastifyInstance } from 'fastify'
import { hostedPage, pageHeaders, type PageAction } from './hosted-page.ts'
import type { SimulatorOptions } from '#features/payments/simulator-options.ts'
import type { SessionState, SimState, WalletPayment } from './state.ts'

const ENDS: Record<string, { state: SessionState; status: string }> = {
  pay: { state: 'paid', status: 'success' },
  fail: { state: 'failed', status: 'failure' },
  cancel: { state: 'cancelled', status: 'cancel' },
}
const MESSAGES = {
  wait: { en: 'bKash is still working on this payment.', bn: 'বিকাশ এখনো এই পেমেন্ট যাচাই করছে।' },
  close: { en: 'You closed the payment page. The shop has not been told.', bn: 'আপনি পেমেন্ট পাতা বন্ধ করেছেন। দোকান কিছু জানে না।' },
  over: { en: 'This payment is over.', bn: 'এই পেমেন্ট শেষ হয়েছে।' },
}

/** The page of bKash that a shopper sees. "Pay" only allows the money; it moves when the shop calls execute. */
export function walletPages(app: FastifyInstance, state: SimState, options: SimulatorOptions): void {
  const cssUrl = () => `${options.publicPrefix}/hosted.css`

  const page = (payment: WalletPayment, message: keyof typeof MESSAGES | null, actions: PageAction[]) =>
    hostedPage({
      brand: 'wallet',
      title: 'Demo bKash payment',
      shop: 'Khamar',
      amount: payment.amount,
      reference: payment.invoice,
      ...(message && { message: MESSAGES[message] }),
      actions,
      cssUrl: cssUrl(),
      ...((message === 'close' || message === 'over') && { backUrl: new URL('/', payment.callbackUrl).href }),
    })

  const buttons = (payment: WalletPayment): PageAction[] => {
    const at = `${options.publicPrefix}/bkash/pay/${payment.paymentId}`
    return [
      { label: 'Pay', labelBn: 'পরিশোধ করুন', action: `${at}/pay`, look: 'pay' },
      { label: 'Fail', labelBn: 'ব্যর্থ করুন', action: `${at}/fail`, look: 'plain' },
      { label: 'Cancel', labelBn: 'বাতিল করুন', action: `${at}/cancel`, look: 'plain' },
      { label: 'Wait', labelBn: 'ঝুলিয়ে রাখুন', action: `${at}/wait`, look: 'quiet' },
      { label: 'Close', labelBn: 'পাতা বন্ধ করুন', action: `${at}/close`, look: 'quiet' },
    ]
  }

  app.get<{ Params: { id: string } }>('/bkash/pay/:id', async (request, reply) => {
    const payment = state.wallets.get(request.params.id)
    if (!payment) return reply.code(404).type('text/plain').send('No such payment.')
    reply.headers(pageHeaders(cssUrl()))
    if (payment.executed) return page(payment, 'over', [])
    return page(payment, payment.state === 'pending' ? 'wait' : null, buttons(payment))
  })

  app.post<{ Params: { id: string; step: string } }>('/bkash/pay/:id/:step', async (request, reply) => {
    const { id, step } = request.params
    const payment = state.wallets.get(id)
    if (!payment) return reply.code(404).type('text/plain').send('No such payment.')
    const here = `${options.publicPrefix}/bkash/pay/${id}`
    if (payment.executed) return reply.redirect(here, 303)
    if (step === 'close') return reply.headers(pageHeaders(cssUrl())).send(page(payment, 'close', []))
    if (step === 'wait') {
      payment.state = 'pending'
      return reply.redirect(here, 303)
    }
    const end = ENDS[step]
    if (!end) return reply.code(404).type('text/plain').send('No such step.')
    payment.state = end.state
    const back = new URL(payment.callbackUrl)
    back.searchParams.set('paymentID', id)
    back.searchParams.set('status', end.status)
    return reply.redirect(back.href, 303)
  })
}
