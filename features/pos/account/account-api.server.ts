import type { FastifyReply } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { AdminDeps } from '#features/orders/order-deps.ts'
import { constraintOf, inTransaction } from '#lib/db/db.server.ts'
import { withIdempotencyKey } from '#lib/db/idempotency.server.ts'
import { idParams } from '#lib/form-fields.ts'
import { formatTaka, poisha, poishaToTaka } from '#lib/format/money.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { translate } from '#lib/i18n/translate.ts'
import { PHONE_LOOKUP_LIMIT } from '../customers.server.ts'
import { enabledMethods, methodNotAllowed, readPosPhone } from '../rules.ts'
import { type AccountPaymentForm, accountPaymentBody, creditLimitBody } from './account-forms.ts'
import { findAccount } from './account-queries.server.ts'
import { USED_TRANSACTION } from '#features/ledger/ledger.server.ts'
import { creditLeft } from '#features/ledger/rules.ts'
import { setCreditLimit } from './credit-limit.server.ts'
import { type AccountPaymentResult, receiveAccountPayment } from './receive-payment.server.ts'

/** The API of customers' accounts: the balance at the POS, payments, and the credit limit. */
export function posAccountApi(deps: AdminDeps): FastifyPluginAsyncZod {
  const { db } = deps
  return async (app) => {
    app.get(
      '/api/admin/quick-orders/account',
      {
        config: { permission: 'pos.sell', rateLimit: PHONE_LOOKUP_LIMIT },
        schema: {
          tags: ['pos'],
          summary: 'The account of a customer by the whole phone number',
          querystring: z.object({ phone: z.string().max(40) }),
        },
      },
      async ({ query }) => {
        const phone = readPosPhone(query.phone)
        const account = phone ? await findAccount(db, { phone }) : null
        return {
          ...(account ? { store_credit: poishaToTaka(account.storeCredit) } : {}),
          account: account && {
            limit: poishaToTaka(account.limit),
            owed: poishaToTaka(account.owed),
            left: poishaToTaka(creditLeft(account)),
          },
        }
      },
    )

    app.post(
      '/admin/quick-orders/account/:id/payments',
      {
        config: { permission: 'pos.sell' },
        schema: { tags: ['pos'], summary: 'A payment on account, in the open shift', params: idParams, body: accountPaymentBody },
      },
      (request, reply) => receivePayment(deps, request, reply, true),
    )
    app.post(
      '/admin/customers/:id/payments',
      {
        config: { permission: 'payments.write' },
        schema: { tags: ['admin'], summary: 'A payment on account, outside of the POS', params: idParams, body: accountPaymentBody },
      },
      (request, reply) => receivePayment(deps, request, reply, false),
    )

    app.post(
      '/admin/customers/:id/credit-limit',
      {
        config: { permission: 'customers.accounts' },
        schema: { tags: ['admin'], summary: 'How much a customer may buy on account', params: idParams, body: creditLimitBody },
      },
      async ({ staff, params, body }, reply) => {
        const change = { limit: body.credit_limit, previous: body.previous }
        const changed = await inTransaction(db, (tx) => setCreditLimit(tx, staff, params.id, change))
        if (changed.ok) return { success: true }
        return changed.reason === 'stale' ? reply.fail(409, 'admin.stale') : reply.fail(404, 'error.not-found')
      },
    )
  }
}

interface PaymentRequest {
  headers: Record<string, string | string[] | undefined>
  url: string
  staff: Parameters<typeof receiveAccountPayment>[3]
  viewer: { lang: Lang }
  params: { id: number }
  body: AccountPaymentForm
}

/** Records the payment once for its idempotency key; the errors are those of the form's fields. */
async function receivePayment(deps: AdminDeps, request: PaymentRequest, reply: FastifyReply, inShift: boolean) {
  const { db, now, shopCache, catalogChanged } = deps
  const { staff, viewer, params, body } = request
  const t = translate(viewer.lang)
  const invalid = (field: string, text: string) => reply.fail(422, 'error.invalid', { text, errors: { [field]: [text] } })
  const amounts = { bkash: poisha(0), bank: poisha(0), [body.method]: body.amount }
  const { pos_methods: setting, cash_rounding: roundsCash } = await shopCache.settings()
  const off = methodNotAllowed(amounts, enabledMethods(setting))
  if (off) return invalid('method', t('pos.method-off', { method: t(`pos.${off}`) }))
  let result: AccountPaymentResult
  try {
    result = await inTransaction(db, (tx) =>
      withIdempotencyKey(tx, request, (inner) => receiveAccountPayment(inner, params.id, body, staff, { inShift, roundsCash, now: now() })),
    )
  } catch (error) {
    if (constraintOf(error) !== USED_TRANSACTION) throw error
    return invalid('transaction_id', t('advance.used-transaction-id'))
  }
  if (result.ok) {
    catalogChanged()
    return { success: true, payment_id: result.paymentId, redirect: `/admin/quick-orders/account-receipts/${result.paymentId}` }
  }
  switch (result.reason) {
    case 'no-shift':
      return reply.fail(409, 'pos.no-shift')
    case 'not-found':
      return reply.fail(404, 'error.not-found')
    case 'sent-back':
      return invalid('transaction_id', t('advance.used-transaction-id'))
    case 'too-little-received':
      return invalid('received', t('pos.account.received-too-little'))
    case 'changed': {
      const text = t('pos.account.changed', { amount: formatTaka(result.due, viewer.lang) })
      return reply.fail(409, 'error.invalid', { text, errors: { amount: [text] }, owed: poishaToTaka(result.due) })
    }
    case 'too-much':
      return invalid('amount', t('pos.account.more-than-due', { amount: formatTaka(result.due, viewer.lang) }))
  }
}
