import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { parseGatewayAmount } from '#features/payments/amounts.ts'
import { cutOff, goWrong } from './fault-hooks.server.ts'
import type { SimulatorOptions } from '#features/payments/simulator-options.ts'
import { isAllowedTarget } from './options.ts'
import { store, refundedOf, type SimRefund, type SimState, type WalletPayment } from './state.ts'
import { decimalTaka } from '#lib/format/money.ts'

type Body = Record<string, unknown>

const BASE = '/bkash/tokenized/checkout'
const OK = { statusCode: '0000', statusMessage: 'Successful' }
const refused = (statusCode: string, statusMessage: string) => ({ statusCode, statusMessage })

/** bKash writes times with a colon before the milliseconds. */
function bkashTime(at: Date): string {
  const iso = new Date(at.getTime() + 6 * 3_600_000).toISOString()
  return `${iso.slice(0, 19)}:${iso.slice(20, 23)} GMT+0600`
}

/** The server-to-server half of bKash tokenised checkout. */
export function walletHost(app: FastifyInstance, state: SimState, options: SimulatorOptions): void {
  const own = options.credentials.bkash
  const now = () => options.clock?.() ?? new Date()

  app.post(`${BASE}/token/grant`, async (request, reply) => {
    if (cutOff('grant', state, request, reply)) return reply
    const { app_key, app_secret } = (request.body ?? {}) as Body
    const { username, password } = request.headers
    const right = username === own.username && password === own.password && app_key === own.appKey && app_secret === own.appSecret
    if (!right || state.faults.grant === 'refuse') return refused('2001', 'Invalid App Key')
    const token = randomBytes(24).toString('base64url')
    state.tokens.add(token)
    return { ...OK, id_token: token, token_type: 'Bearer', expires_in: 3600, refresh_token: randomBytes(24).toString('base64url') }
  })

  type Handler = (body: Body, reply: FastifyReply) => Promise<unknown>
  const call = (name: string, path: string, handle: Handler) => {
    app.post(`${BASE}/${path}`, async (request: FastifyRequest, reply) => {
      if (cutOff(name, state, request, reply)) return reply
      const { authorization } = request.headers
      if (!authorization || !state.tokens.has(authorization) || request.headers['x-app-key'] !== own.appKey) {
        return reply.code(401).send({ message: 'Unauthorized' })
      }
      if (state.faults.grant === 'expired') {
        state.tokens.clear()
        delete state.faults.grant
        return reply.code(401).send({ message: 'The incoming token has expired' })
      }
      return handle((request.body ?? {}) as Body, reply)
    })
  }

  call('create', 'create', async (body, reply) => {
    const reason = state.faults.create === 'failed' ? refused('2003', 'Process failed') : findCreateError(body, options)
    if (reason) return reason
    const payment = open(body, now())
    store(state.wallets, payment.paymentId, payment)
    if (await goWrong(state.faults.create, state, reply)) return reply
    const back = (status: string) => `${payment.callbackUrl}?paymentID=${payment.paymentId}&status=${status}`
    return {
      ...OK,
      paymentID: payment.paymentId,
      bkashURL: `${options.publicPrefix}/bkash/pay/${payment.paymentId}`,
      callbackURL: payment.callbackUrl,
      successCallbackURL: back('success'),
      failureCallbackURL: back('failure'),
      cancelledCallbackURL: back('cancel'),
      amount: payment.amount,
      intent: 'sale',
      currency: 'BDT',
      paymentCreateTime: bkashTime(payment.createdAt),
      transactionStatus: 'Initiated',
      merchantInvoiceNumber: payment.invoice,
    }
  })

  call('execute', 'execute', async (body, reply) => {
    const payment = state.wallets.get(String(body['paymentID']))
    const { execute } = state.faults
    if (!payment) return refused('2002', 'Invalid Payment ID')
    if (execute && /^\d/.test(execute)) return refused(execute, 'Refused by the demo wallet')
    if (payment.executed) return refused('2117', 'Payment execution already been called before')
    if (payment.state !== 'paid') return refused('2056', 'Invalid Payment State')
    payment.executed = true
    payment.executedAt = now()
    if (await goWrong(execute, state, reply)) return reply
    return { ...OK, ...described(payment) }
  })

  call('wallet-query', 'payment/status', async (body, reply) => {
    if (await goWrong(state.faults.query, state, reply)) return reply
    const payment = state.wallets.get(String(body['paymentID']))
    return payment ? { ...OK, ...described(payment) } : refused('2002', 'Invalid Payment ID')
  })

  call('wallet-refund', 'payment/refund', async (body, reply) => {
    const payment = state.wallets.get(String(body['paymentID']))
    const amount = parseGatewayAmount(body['amount'])
    if (!payment?.executed || payment.trxId !== body['trxID']) return refused('2033', 'Transaction not found')
    if (state.faults.refund === 'failed') return refused('2071', 'Refund is not possible')
    const available = (parseGatewayAmount(payment.amount) ?? 0) - refundedOf(state, payment.trxId)
    if (!amount || amount > available) return refused('2072', 'Refund amount exceeds the available')
    const ref = `R${randomBytes(5).toString('hex').toUpperCase().slice(0, 9)}`
    const refund = { ref, payment: payment.trxId, refundId: String(body['sku']), amount, pollsLeft: state.faults.refundPolls ?? 0 }
    store(state.refunds, ref, refund)
    if (await goWrong(state.faults.refund, state, reply)) return reply
    return { ...OK, ...refundState(refund) }
  })

  // The answer is about the latest refund of the payment.
  call('wallet-refund-status', 'payment/refund/status', async (body, reply) => {
    if (await goWrong(state.faults.refundStatus, state, reply)) return reply
    const refund = [...state.refunds.values()].findLast((one) => one.payment === String(body['trxID']))
    return refund ? { ...OK, ...refundState(refund) } : refused('2033', 'Transaction not found')
  })

  const refundState = (refund: SimRefund) => {
    const end = state.faults.refundCancelled ? 'Failed' : 'Completed'
    const transactionStatus = refund.pollsLeft-- > 0 ? 'Pending' : end
    return {
      originalTrxID: refund.payment,
      refundTrxID: refund.ref,
      transactionStatus,
      amount: decimalTaka(refund.amount),
      currency: 'BDT',
      completedTime: bkashTime(now()),
    }
  }

  const described = (payment: WalletPayment) => ({
    paymentID: payment.paymentId,
    payerReference: payment.payerReference,
    merchantInvoiceNumber: state.faults.tranId ?? payment.invoice,
    amount: state.faults.paidAmount ?? payment.amount,
    currency: state.faults.paidCurrency ?? 'BDT',
    intent: 'sale',
    paymentCreateTime: bkashTime(payment.createdAt),
    transactionStatus: statusOf(payment),
    ...(payment.executed && { trxID: payment.trxId, customerMsisdn: '01770618575', paymentExecuteTime: bkashTime(payment.executedAt!) }),
  })
}

function statusOf(payment: WalletPayment): string {
  if (payment.executed) return 'Completed'
  if (payment.state === 'cancelled') return 'Cancelled'
  if (payment.state === 'failed') return 'Failed'
  return payment.state === 'pending' ? 'Pending Authorized' : 'Initiated'
}

function findCreateError(body: Body, options: SimulatorOptions): object | null {
  const amount = parseGatewayAmount(body['amount'])
  if (!amount || typeof body['amount'] !== 'string') return refused('2006', 'Invalid Amount')
  if (body['currency'] !== 'BDT') return refused('2007', 'Invalid Currency')
  if (body['intent'] !== 'sale' || body['mode'] !== '0011') return refused('2008', 'Invalid Intent')
  const invoice = body['merchantInvoiceNumber']
  if (typeof invoice !== 'string' || invoice === '' || invoice.length > 255) return refused('2031', 'Invalid Merchant Invoice Number')
  if (!body['payerReference']) return refused('2048', 'Invalid Payer Reference')
  return isAllowedTarget(String(body['callbackURL']), options) ? null : refused('2049', 'Invalid Merchant Callback URL')
}

function open(body: Body, createdAt: Date): WalletPayment {
  return {
    paymentId: `TR0011${randomBytes(8).toString('hex')}`,
    trxId: `D${randomBytes(5).toString('hex').toUpperCase().slice(0, 9)}`,
    amount: String(body['amount']),
    invoice: String(body['merchantInvoiceNumber']),
    payerReference: String(body['payerReference']),
    callbackUrl: String(body['callbackURL']),
    state: 'open',
    executed: false,
    createdAt,
    executedAt: null,
  }
}
