import type { FastifyInstance, FastifyReply } from 'fastify'
import { failedFields, INSTRUMENTS, paidFields, signed } from './card-transaction.ts'
import { hostedPage, pageHeaders, type HostedPage, type PageAction } from './hosted-page.ts'
import { notifyShop } from './notify.server.ts'
import type { SimulatorOptions } from '#features/payments/simulator-options.ts'
import type { CardSession, SimState } from './state.ts'

type Params = { id: string; step: string; instrument?: string }

const WAITING = { en: 'The bank is still working on this payment.', bn: 'ব্যাংক এখনো এই পেমেন্ট যাচাই করছে।' }
const OVER = { en: 'This payment is over.', bn: 'এই পেমেন্ট শেষ হয়েছে।' }
const CLOSED = { en: 'You closed the payment page. The shop has not been told.', bn: 'আপনি পেমেন্ট পাতা বন্ধ করেছেন। দোকান কিছু জানে না।' }

/**
 * The half of SSLCommerz that a shopper sees. Each button's form already holds the body that the shop is to get;
 * a 307 answer makes the browser post that very body on to the shop, so the page needs no script.
 */
export function cardPages(app: FastifyInstance, state: SimState, options: SimulatorOptions): void {
  const { storeId, storePassword } = options.credentials
  const cssUrl = () => `${options.publicPrefix}/hosted.css`
  const find = (id: string) => state.cards.get(id.replace(/^testcde/, '').toUpperCase())

  const body = (session: CardSession, step: string) => {
    const fields =
      step === 'pay' ? paidFields(session, storeId, state.faults) : failedFields(session, step === 'fail' ? 'FAILED' : 'CANCELLED', storeId)
    return signed(fields, storePassword, state.faults.badSignature === true)
  }

  const show = (reply: FastifyReply, session: CardSession, page: Partial<HostedPage>) => {
    const { fields } = session
    const html = hostedPage({
      brand: 'card',
      title: 'Demo card payment',
      shop: 'Khamar',
      amount: fields['total_amount'] ?? '',
      reference: fields['tran_id'] ?? '',
      actions: [],
      cssUrl: cssUrl(),
      ...page,
    })
    return reply.headers(pageHeaders(cssUrl())).send(html)
  }

  const backUrl = (session: CardSession) => new URL('/', session.fields['success_url']).href

  app.get<{ Params: Params }>('/EasyCheckOut/:id', async (request, reply) => {
    const session = find(request.params.id)
    if (!session) return reply.code(404).type('text/plain').send('No such payment.')
    if (session.state === 'paid') return show(reply, session, { message: OVER, backUrl: backUrl(session) })
    const message = session.state === 'pending' ? WAITING : undefined
    return show(reply, session, { ...(message && { message }), actions: buttons(session, request.params.id) })
  })

  const buttons = (session: CardSession, id: string): PageAction[] => {
    const at = `${options.publicPrefix}/EasyCheckOut/${id}`
    const pays = Object.entries(INSTRUMENTS).map(([name, { label }], index): PageAction => {
      const fields = body({ ...session, instrument: name }, 'pay')
      return { label: `Pay with ${label}`, labelBn: 'পরিশোধ করুন', action: `${at}/pay/${name}`, fields, look: index === 0 ? 'pay' : 'plain' }
    })
    return [
      ...pays,
      { label: 'Fail', labelBn: 'ব্যর্থ করুন', action: `${at}/fail`, fields: body(session, 'fail'), look: 'plain' },
      { label: 'Cancel', labelBn: 'বাতিল করুন', action: `${at}/cancel`, fields: body(session, 'cancel'), look: 'plain' },
      { label: 'Wait', labelBn: 'ঝুলিয়ে রাখুন', action: `${at}/wait`, look: 'quiet' },
      { label: 'Close', labelBn: 'পাতা বন্ধ করুন', action: `${at}/close`, look: 'quiet' },
    ]
  }

  const choose = async ({ id, step, instrument }: Params, reply: FastifyReply) => {
    const session = find(id)
    if (!session) return reply.code(404).type('text/plain').send('No such payment.')
    if (step === 'close') return show(reply, session, { message: CLOSED, backUrl: backUrl(session) })
    if (session.state === 'paid') return reply.redirect(`${options.publicPrefix}/EasyCheckOut/${id}`, 303)
    if (step === 'wait') {
      session.state = 'pending'
      return reply.redirect(`${options.publicPrefix}/EasyCheckOut/${id}`, 303)
    }
    const ends = { pay: ['paid', 'success_url'], fail: ['failed', 'fail_url'], cancel: ['cancelled', 'cancel_url'] } as const
    const end = ends[step as keyof typeof ends]
    if (!end) return reply.code(404).type('text/plain').send('No such step.')
    session.state = end[0]
    session.instrument = instrument && instrument in INSTRUMENTS ? instrument : 'bkash'
    await notifyShop(session.fields['ipn_url'], body(session, step), state, options)
    return reply.redirect(session.fields[end[1]]!, 307)
  }

  app.post<{ Params: Params }>('/EasyCheckOut/:id/:step', (request, reply) => choose(request.params, reply))
  app.post<{ Params: Params }>('/EasyCheckOut/:id/:step/:instrument', (request, reply) => choose(request.params, reply))
}
