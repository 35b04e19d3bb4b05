import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { FastifyReply } from 'fastify'
import { emptyBody, idParams } from '#lib/form-fields.ts'
import { LIST_BODY } from '#lib/http/body-limits.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { translate } from '#lib/i18n/translate.ts'
import { listSms } from '#features/messaging/queries.server.ts'
import { withIdempotencyKey } from '#lib/db/idempotency.server.ts'
import {
  addCustomerNote,
  disableCustomer,
  enableCustomer,
  setCustomerOptOut,
  signCustomerOut,
  type StateChange,
} from './account-state.server.ts'
import { changeCustomer, type CustomerChange, type CustomerDeps } from './change-customer.server.ts'
import { findCustomer } from './customer-record.server.ts'
import { createCustomer } from './create-customer.server.ts'
import { detailsBody, mergeBody, newCustomerBody, noteBody, optOutBody, smsBody } from './admin-forms.ts'
import { mergeCustomers } from './merge-customers.server.ts'
import { sendCustomerSms } from './send-customer-sms.server.ts'

/** Admin routes of customers. Each returns the changed customer. */
export function customersAdminApi(deps: CustomerDeps): FastifyPluginAsyncZod {
  const { db, now } = deps
  const record = async (id: number) => ({ customer: await findCustomer(db, id, now()) })
  const answer = (reply: FastifyReply, id: number, change: StateChange) => {
    if (change.ok) return record(id)
    return change.reason === 'missing' ? reply.fail(404, 'error.not-found') : reply.fail(409, 'customers.already')
  }
  const config = { permission: 'customers.write' } as const
  return async (app) => {
    await app.register(newCustomerApi(deps))
    app.post(
      '/admin/customers/:id/notes',
      { config, schema: { tags: ['admin'], summary: 'Add a note to a customer', params: idParams, body: noteBody } },
      async (request, reply) => {
        const { staff, params, body } = request
        const noted = await withIdempotencyKey(db, request, async (tx) => ({
          ok: await addCustomerNote(tx, staff, params.id, body.note, now()),
        }))
        return noted.ok ? record(params.id) : reply.fail(404, 'error.not-found')
      },
    )
    app.post(
      '/admin/customers/:id/details',
      { config, schema: { tags: ['admin'], summary: 'Change a customer’s name, phone or email', params: idParams, body: detailsBody } },
      async ({ staff, viewer, params: { id }, body }, reply) => {
        const changed = await changeCustomer(deps, staff, id, body)
        return changed.ok ? { redirect: `/admin/customers/${id}` } : failChange(reply, changed, viewer.lang)
      },
    )
    app.post(
      '/admin/customers/:id/disable',
      { config, schema: { tags: ['admin'], summary: 'Disable a customer’s account', params: idParams, body: emptyBody } },
      async ({ staff, params: { id } }, reply) => answer(reply, id, await disableCustomer(db, staff, id, now())),
    )
    app.post(
      '/admin/customers/:id/enable',
      { config, schema: { tags: ['admin'], summary: 'Enable a customer’s account', params: idParams, body: emptyBody } },
      async ({ staff, params: { id } }, reply) => answer(reply, id, await enableCustomer(db, staff, id)),
    )
    app.post(
      '/admin/customers/:id/opt-out',
      { config, schema: { tags: ['admin'], summary: 'Send a customer no campaigns, or take it back', params: idParams, body: optOutBody } },
      async ({ staff, params: { id }, body }, reply) => answer(reply, id, await setCustomerOptOut(db, staff, id, body.opted_out)),
    )
    app.post(
      '/admin/customers/:id/sign-out',
      { config, schema: { tags: ['admin'], summary: 'Sign a customer out everywhere', params: idParams, body: emptyBody } },
      async ({ staff, params: { id } }, reply) => answer(reply, id, await signCustomerOut(db, staff, id)),
    )
    app.post(
      '/admin/customers/:id/merge',
      { config, schema: { tags: ['admin'], summary: 'Merge two customers', params: idParams, body: mergeBody } },
      async ({ staff, params: { id }, body }, reply) => {
        const merged = await mergeCustomers(deps, staff, { targetId: id, otherId: body.other, previewedOrders: body.orders })
        if (merged.ok) return { redirect: `/admin/customers/${id}` }
        if (merged.reason === 'managers') return reply.fail(403, 'customers.merge.managers')
        return merged.reason === 'missing' ? reply.fail(404, 'error.not-found') : reply.fail(409, `customers.merge.${merged.reason}`)
      },
    )
  }
}

/** Routes that create a customer and write to one. */
function newCustomerApi({ db, now }: CustomerDeps): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      '/admin/customers/store',
      {
        config: { permission: 'customers.write' },
        schema: { tags: ['admin'], summary: 'Create a customer', body: newCustomerBody },
      },
      async (request, reply) => {
        const { staff, body, viewer } = request
        const created = await withIdempotencyKey(db, request, (tx) => createCustomer(tx, staff, body, now()))
        if (created.ok) return { id: created.id, redirect: `/admin/customers/${created.id}` }
        return reply.fail(422, 'error.invalid', { errors: { phone: [translate(viewer.lang)('customers.phone-taken', created.by)] } })
      },
    )
    app.post(
      '/admin/customers/:id/sms',
      {
        bodyLimit: LIST_BODY,
        config: { permission: 'sms.send', rateLimit: { max: 60, timeWindow: '1 minute' } },
        schema: { tags: ['admin'], summary: 'Send an SMS to a customer', params: idParams, body: smsBody },
      },
      async ({ params, body, staff, viewer }, reply) => {
        const sent = await sendCustomerSms(db, params.id, body.message, staff)
        const t = translate(viewer.lang)
        if (sent.ok) {
          const { id, phone } = sent.value
          const { rows } = await listSms(db, { phone }, { backward: false, from: null })
          return { message: t('sms.written.sent'), id, state: 'queued', sms: rows.find((one) => one.id === id) }
        }
        if (sent.reason === 'not-there') return reply.fail(404, 'error.not-found')
        const text = t(`sms.written.${sent.reason}`)
        return reply.fail(422, 'error.invalid', { text, errors: { message: [text] } })
      },
    )
  }
}

function failChange(reply: FastifyReply, error: Extract<CustomerChange, { ok: false }>, lang: Lang) {
  const t = translate(lang)
  if (error.reason === 'managers')
    return reply.fail(403, 'customers.phone-managers', { errors: { phone: [t('customers.phone-managers')] } })
  if (error.reason === 'phone-used') return reply.fail(422, 'error.invalid', { errors: { phone: [t('customers.phone-used', error.by)] } })
  return error.reason === 'missing' ? reply.fail(404, 'error.not-found') : reply.fail(409, 'admin.stale')
}
