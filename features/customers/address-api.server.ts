import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { givenName } from '#features/auth/placeholder-names.server.ts'
import type { Db } from '#lib/db/db.server.ts'
import { idParams, idText } from '#lib/form-fields.ts'
import { translate } from '#lib/i18n/translate.ts'
import { addAddress, chooseAddress, deleteAddress, updateAddress } from './address-commands.server.ts'
import { listAddresses } from './address-queries.server.ts'
import { addressProblems, normalizeAddress, type AddressForm } from './address-rules.ts'
import { addressBody } from './forms.ts'
import { readMultipart } from './multipart.server.ts'

export interface AddressApiDeps {
  db: Db
  /** The delivery areas by id. */
  shopCache: { areas(): Promise<ReadonlyMap<number, unknown>> }
}

const MULTIPART_LIMIT = 64 * 1024

/** Routes of the address book [C9]. All concern the signed-in customer's own addresses. */
export function addressApi(deps: AddressApiDeps): FastifyPluginAsyncZod {
  const { db } = deps
  return async (app) => {
    app.addContentTypeParser('multipart/form-data', { parseAs: 'buffer', bodyLimit: MULTIPART_LIMIT }, readMultipart)
    // Before validation, so that a guest gets no field errors. An id that is no number is unknown.
    app.addHook('preValidation', async (request, reply) => {
      if (request.viewer.user === null) return reply.fail(401, 'address.sign-in')
      const { id } = request.params as { id?: string }
      if (id !== undefined && !idParams.safeParse({ id }).success) return reply.fail(404, 'error.not-found')
    })
    const schema = (summary: string) => ({ tags: ['addresses'], summary })

    app.get('/address/customer-info', { schema: schema('The chosen address, or the customer when there is none') }, async (request) => {
      const user = customer(request)
      const chosen = (await listAddresses(db, user.id))[0]
      if (chosen !== undefined) return { ...chosen, customer_id: user.id }
      const noAddress = { alternate_phone: '', address: '', landmark: '', note: '', area_id: null, is_default: false }
      return { id: user.id, customer_id: user.id, name: givenName(user.name), email: user.email ?? '', phone: user.phone, ...noAddress }
    })

    app.get('/address/all', { schema: schema('The addresses of the customer') }, async (request) => listAddresses(db, customer(request).id))

    app.post(
      '/address/add/:id',
      { schema: { ...schema('Add an address'), params: idParams, body: addressBody } },
      async (request, reply) => {
        const user = customer(request)
        if (request.params.id !== user.id) return reply.fail(404, 'error.not-found')
        const form = { ...request.body, landmark: request.body.landmark ?? '' }
        const errors = await errorsOf(deps, form, request)
        if (errors !== null) return failFields(reply, errors)
        const added = await addAddress(db, user.id, normalizeAddress(form))
        if (!added.ok) return added.reason === 'closed' ? reply.fail(401, 'address.sign-in') : reply.fail(409, 'address.book-full')
        return { message: translate(request.viewer.lang)('address.added'), ...added.value }
      },
    )

    app.post(
      '/address/update/:id',
      { schema: { ...schema('Change an address'), params: idParams, body: addressBody } },
      async (request, reply) => {
        const { landmark = null, ...rest } = request.body
        const form = { ...rest, landmark: landmark ?? '' }
        const errors = await errorsOf(deps, form, request)
        if (errors !== null) return failFields(reply, errors)
        const normalized = normalizeAddress(form)
        const saved = await updateAddress(db, customer(request).id, request.params.id, {
          ...normalized,
          landmark: landmark === null ? null : normalized.landmark,
        })
        if (saved === null) return reply.fail(404, 'error.not-found')
        return { message: translate(request.viewer.lang)('address.updated'), ...saved }
      },
    )

    const chosenBody = z.object({ address_id: z.union([z.number().int().positive(), idText]) })
    app.post('/address/selectAddress', { schema: { ...schema('Choose an address'), body: chosenBody } }, async (request, reply) => {
      const chosen = await chooseAddress(db, customer(request).id, request.body.address_id)
      if (chosen === null) return reply.fail(404, 'error.not-found')
      return { message: translate(request.viewer.lang)('address.chosen'), ...chosen }
    })

    app.delete('/address/delete/:id', { schema: { ...schema('Delete an address'), params: idParams } }, async (request, reply) => {
      const isDeleted = await deleteAddress(db, customer(request).id, request.params.id)
      return isDeleted ? { message: translate(request.viewer.lang)('address.deleted') } : reply.fail(404, 'error.not-found')
    })
  }
}

function customer(request: FastifyRequest) {
  const { user } = request.viewer
  if (user === null) throw new Error('the hook rejects requests without a signed-in user')
  return user
}

/** The errors of an address as texts by field; null when it is valid. */
async function errorsOf(deps: AddressApiDeps, form: AddressForm, request: FastifyRequest): Promise<Record<string, string[]> | null> {
  const t = translate(request.viewer.lang)
  const areas = await deps.shopCache.areas()
  const problems = Object.entries(addressProblems(form, [...areas.keys()]))
  return problems.length === 0 ? null : Object.fromEntries(problems.map(([field, problem]) => [field, [t(problem)]]))
}

function failFields(reply: FastifyReply, errors: Record<string, string[]>): FastifyReply | Promise<FastifyReply> {
  const text = Object.values(errors)[0]?.[0]
  return reply.fail(422, 'error.invalid', { errors, ...(text ? { text } : {}) })
}
