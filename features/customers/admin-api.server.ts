import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { FastifyReply } from 'fastify'
import { idParams } from '#lib/form-fields.ts'
import { translate } from '#lib/i18n/translate.ts'
import { withIdempotencyKey } from '#lib/db/idempotency.server.ts'
import { addCustomerNote, disableCustomer, enableCustomer, signCustomerOut, type StateChange } from './account-state.server.ts'
import { changeCustomer, type CustomerDeps } from './change-customer.server.ts'
import { findCustomer } from './customer-record.server.ts'
import { detailsBody, mergeBody, noteBody, nothingBody } from './admin-forms.ts'
import { mergeCustomers } from './merge-customers.server.ts'

/** What the staff do with customers. Each answers the customer as it is now. */
export function customersAdminApi(deps: CustomerDeps): FastifyPluginAsyncZod {
  const { db, now } = deps
  const record = async (id: number) => ({ customer: await findCustomer(db, id, now()) })
  const answer = (reply: FastifyReply, id: number, change: StateChange) => {
    if (change.ok) return record(id)
    return change.reason === 'missing' ? reply.refuse(404, 'error.not-found') : reply.refuse(409, 'customers.already')
  }
  const config = { right: 'customers.write' } as const
  return async (app) => {
    app.post(
      '/admin/customers/:id/notes',
      { config, schema: { tags: ['admin'], summary: 'Write a note to a customer', params: idParams, body: noteBody } },
      async (request, reply) => {
        const { staff, params, body } = request
        const noted = await withIdempotencyKey(db, request, async (tx) => ({
          ok: await addCustomerNote(tx, staff, params.id, body.note, now()),
        }))
        return noted.ok ? record(params.id) : reply.refuse(404, 'error.not-found')
      },
    )
    app.post(
      '/admin/customers/:id/details',
      { config, schema: { tags: ['admin'], summary: 'Correct a customer’s name, phone or email', params: idParams, body: detailsBody } },
      async ({ staff, viewer, params: { id }, body }, reply) => {
        const changed = await changeCustomer(deps, staff, id, body)
        if (changed.ok) return { redirect: `/admin/customers/${id}` }
        if (changed.reason === 'managers') {
          const text = translate(viewer.lang)('customers.phone-managers')
          return reply.refuse(403, 'customers.phone-managers', { errors: { phone: [text] } })
        }
        if (changed.reason === 'phone-used')
          return reply.refuse(422, 'error.invalid', { errors: { phone: [translate(viewer.lang)('customers.phone-used', changed.by)] } })
        return changed.reason === 'missing' ? reply.refuse(404, 'error.not-found') : reply.refuse(409, 'admin.stale')
      },
    )
    app.post(
      '/admin/customers/:id/disable',
      { config, schema: { tags: ['admin'], summary: 'Close a customer’s account', params: idParams, body: nothingBody } },
      async ({ staff, params: { id } }, reply) => answer(reply, id, await disableCustomer(db, staff, id, now())),
    )
    app.post(
      '/admin/customers/:id/enable',
      { config, schema: { tags: ['admin'], summary: 'Open a customer’s account again', params: idParams, body: nothingBody } },
      async ({ staff, params: { id } }, reply) => answer(reply, id, await enableCustomer(db, staff, id)),
    )
    app.post(
      '/admin/customers/:id/sign-out',
      { config, schema: { tags: ['admin'], summary: 'Sign a customer out everywhere', params: idParams, body: nothingBody } },
      async ({ staff, params: { id } }, reply) => answer(reply, id, await signCustomerOut(db, staff, id)),
    )
    app.post(
      '/admin/customers/:id/merge',
      { config, schema: { tags: ['admin'], summary: 'Make one customer of two', params: idParams, body: mergeBody } },
      async ({ staff, params: { id }, body }, reply) => {
        const merged = await mergeCustomers(deps, staff, { keptId: id, otherId: body.other, seenOrders: body.orders })
        if (merged.ok) return { redirect: `/admin/customers/${id}` }
        if (merged.reason === 'managers') return reply.refuse(403, 'customers.merge.managers')
        return merged.reason === 'missing' ? reply.refuse(404, 'error.not-found') : reply.refuse(409, `customers.merge.${merged.reason}`)
      },
    )
  }
}
