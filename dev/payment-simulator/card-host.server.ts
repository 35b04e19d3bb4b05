import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { parseGatewayAmount } from '#features/payments/amounts.ts'
import { FIELD_LIMITS } from '#features/payments/gateways/sslcommerz-fields.ts'
import { paidFields, wallTime } from './card-transaction.ts'
import { cutOff, goWrong } from './fault-hooks.server.ts'
import type { SimulatorOptions } from '#features/payments/simulator-options.ts'
import { isAllowedTarget } from './options.ts'
import { store, refundedOf, type CardSession, type SimState } from './state.ts'

type Form = Record<string, string>

const MANDATORY = [
  'total_amount',
  'currency',
  'tran_id',
  'product_category',
  'product_name',
  'product_profile',
  'success_url',
  'fail_url',
  'cancel_url',
  'cus_name',
  'cus_email',
  'cus_add1',
  'cus_city',
  'cus_postcode',
  'cus_country',
  'cus_phone',
  'shipping_method',
]
const MIN_POISHA = 1_000
const MAX_POISHA = 50_000_000

/** The server-to-server half of SSLCommerz: session, validation, query and refund. */
export function cardHost(app: FastifyInstance, state: SimState, options: SimulatorOptions): void {
  const { credentials } = options
  const now = () => options.clock?.() ?? new Date()
  const known = (form: Form) => form['store_id'] === credentials.storeId && form['store_passwd'] === credentials.storePassword

  const rejection = (form: Form): string | null => {
    if (!known(form)) return 'Store Credential Error Or Store is De-active'
    const missing = MANDATORY.find((key) => !form[key]?.trim())
    if (missing) return `Invalid Information: ${missing} is missing`
    const long = Object.entries(FIELD_LIMITS).find(([key, limit]) => [...(form[key] ?? '')].length > limit)
    if (long || form['tran_id']!.length > 30) return `Invalid Information: ${long?.[0] ?? 'tran_id'} is too long`
    const amount = parseGatewayAmount(form['total_amount'])
    if (amount === null || amount < MIN_POISHA || amount > MAX_POISHA) return 'Invalid Amount'
    if ([...state.cards.values()].some((one) => one.fields['tran_id'] === form['tran_id'])) return 'Duplicate tran_id'
    const addresses = ['success_url', 'fail_url', 'cancel_url', 'ipn_url'].map((key) => form[key]).filter(Boolean) as string[]
    return addresses.every((address) => isAllowedTarget(address, options)) ? null : 'Invalid return address'
  }

  app.post('/gwprocess/v4/api.php', async (request, reply) => {
    if (cutOff('session', state, request, reply)) return reply
    const form = (request.body ?? {}) as Form
    const reason = state.faults.create === 'failed' ? 'Store Credential Error Or Store is De-active' : rejection(form)
    // The real one answers JSON under a name that is not JSON's.
    reply.type('text/html; charset=UTF-8')
    if (reason) return JSON.stringify({ status: 'FAILED', failedreason: reason })
    const session = open(form, now())
    store(state.cards, session.key, session)
    if (await goWrong(state.faults.create, state, reply)) return reply
    return JSON.stringify(sessionAnswer(session, options))
  })

  app.get('/validator/api/validationserverAPI.php', async (request, reply) => {
    if (cutOff('validate', state, request, reply)) return reply
    if (await goWrong(state.faults.validate, state, reply)) return reply
    const form = request.query as Form
    if (!known(form)) return { APIConnect: 'INVALID_REQUEST' }
    const session = [...state.cards.values()].find((one) => one.valId === form['val_id'] && one.state === 'paid')
    if (!session) return { status: 'INVALID_TRANSACTION', APIConnect: 'DONE' }
    const status = session.validated || state.faults.validate === 'validated-first' ? 'VALIDATED' : 'VALID'
    session.validated = true
    return { ...transaction(session), status, APIConnect: 'DONE', validated_on: wallTime(now()), gw_version: '4', offer_avail: 1 }
  })

  app.get('/validator/api/merchantTransIDvalidationAPI.php', async (request, reply) => {
    const form = request.query as Form
    const call = form['bank_tran_id'] ? 'refund' : form['refund_ref_id'] ? 'refund-status' : 'query'
    if (cutOff(call, state, request, reply)) return reply
    if (call !== 'refund' && (await goWrong(state.faults[call === 'query' ? 'query' : 'refundStatus'], state, reply))) return reply
    if (!known(form)) return { APIConnect: 'INVALID_REQUEST' }
    if (call === 'refund') {
      const answer = refund(form)
      return (await goWrong(state.faults.refund, state, reply)) ? reply : answer
    }
    if (call === 'refund-status') return refundStatus(form['refund_ref_id']!)
    const tries = [...state.cards.values()].filter((one) => one.fields['tran_id'] === form['tran_id']).flatMap(elements)
    return { APIConnect: 'DONE', no_of_trans_found: tries.length, element: tries }
  })

  const transaction = (session: CardSession) => paidFields(session, credentials.storeId, state.faults)

  const elements = (session: CardSession): object[] => {
    const own = { ...transaction(session), bank_gw: 'Demo bank' }
    if (session.state === 'open') return []
    if (session.state === 'pending') return [{ ...own, status: 'PENDING', val_id: '' }]
    if (session.state !== 'paid') return [{ ...own, status: session.state.toUpperCase(), val_id: '', error: 'Declined by the demo bank' }]
    if (state.faults.reversed) return [{ ...own, status: 'FAILED', val_id: '', error: 'Reversed by the bank' }]
    const paid = { ...own, status: session.validated ? 'VALIDATED' : 'VALID' }
    if (!state.faults.twoPaid) return [paid]
    return [paid, { ...paid, val_id: `${session.valId}B`, bank_tran_id: `${session.bankTranId}B` }]
  }

  function refund(form: Form): object {
    const session = [...state.cards.values()].find((one) => one.bankTranId === form['bank_tran_id'] && one.state === 'paid')
    const amount = parseGatewayAmount(form['refund_amount'])
    const paid = parseGatewayAmount(session?.fields['total_amount'])
    const base = { APIConnect: 'DONE', bank_tran_id: form['bank_tran_id'], trans_id: session?.fields['tran_id'] ?? '' }
    const refundId = form['refund_trans_id']
    const rejection = (errorReason: string) => ({ ...base, refund_ref_id: '', status: 'failed', errorReason })
    if (state.faults.refund === 'failed') return rejection('Insufficient balance in the store')
    // The same id of the shop is the same refund, however often it is sent.
    const known = [...state.refunds.values()].find((one) => one.refundId === refundId)
    if (known) return { ...base, refund_ref_id: known.ref, status: 'processing', errorReason: '' }
    const payment = session?.bankTranId ?? ''
    if (!session || !amount || paid === null || !refundId || amount + refundedOf(state, payment) > paid)
      return rejection('Refund amount or transaction is not valid')
    const ref = randomBytes(12).toString('hex')
    store(state.refunds, ref, { ref, payment, refundId, amount, pollsLeft: state.faults.refundPolls ?? 0 })
    return { ...base, refund_ref_id: ref, status: 'success', errorReason: '' }
  }

  function refundStatus(ref: string): object {
    const found = state.refunds.get(ref)
    if (!found) return { APIConnect: 'DONE', status: 'cancelled', errorReason: 'Unknown refund_ref_id', refund_ref_id: ref }
    const end = state.faults.refundCancelled ? 'cancelled' : 'refunded'
    const status = found.pollsLeft-- > 0 ? 'processing' : end
    const errorReason = status === 'cancelled' ? 'Cancelled by the bank' : ''
    return { APIConnect: 'DONE', refund_ref_id: ref, status, initiated_on: wallTime(now()), errorReason }
  }
}

function open(form: Form, at: Date): CardSession {
  const stamp = wallTime(at).replace(/\D/g, '').slice(2)
  const id = () => stamp + randomBytes(8).toString('hex')
  return {
    key: randomBytes(16).toString('hex').toUpperCase(),
    fields: { ...form, store_passwd: '' },
    state: 'open',
    instrument: 'bkash',
    valId: id(),
    bankTranId: id(),
    at,
    validated: false,
  }
}

function sessionAnswer(session: CardSession, options: SimulatorOptions): object {
  const page = `${options.publicPrefix}/EasyCheckOut/testcde${session.key.toLowerCase()}`
  return {
    status: 'SUCCESS',
    failedreason: '',
    sessionkey: session.key,
    gw: { visa: 'visacard', master: 'mastercard', amex: 'amexcard', othercards: '', internetbanking: '', mobilebanking: 'bkash,nagad' },
    redirectGatewayURL: `${page}?cardname=`,
    GatewayPageURL: page,
    storeBanner: '',
    store_name: 'Khamar',
    desc: [],
    is_direct_pay_enable: '0',
  }
}
