import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Db } from '#lib/db/db.server.ts'
import { translate } from '#lib/i18n/translate.ts'
import { addAddress, chooseAddress, deleteAddress, updateAddress } from './address-commands.server.ts'
import { listAddresses } from './address-queries.server.ts'
import { addressProblems, normalizeAddress, type AddressForm } from './address-rules.ts'
import { addressBody } from './forms.ts'
import { readMultipart } from './multipart.server.ts'

export interface AddressApiDeps {
  db: Db
  /** The areas that are delivered to, by id. */
  facts: { areas(): Promise<ReadonlyMap<number, unknown>> }
}

const MULTIPART_LIMIT = 64 * 1024

const idParams = z.object({
  id: z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number),
})

/** The calls of the address book [C9]. Every one is about the signed-in customer's own addresses. */
export function addressApi(deps: AddressApiDeps): FastifyPluginAsyncZod {
  const { db } = deps
  return async (app) => {
    app.addContentTypeParser('multipart/form-data', { parseAs: 'buffer', bodyLimit: MULTIPART_LIMIT }, readMultipart)
    // Before the fields are looked at: a stranger learns nothing of them. A path that is no number is nobody's address.
    app.addHook('preValidation', async (request, reply) => {
      if (request.viewer.user === null) return reply.refuse(401, 'address.sign-in')
      const { id } = request.params as { id?: string }
      if (id !== undefined && !idParams.safeParse({ id }).success) return reply.refuse(404, 'error.not-found')
    })
    const schema = (summary: string) => ({ tags: ['addresses'], summary })

    app.get('/address/customer-info', { schema: schema('The chosen address, or the customer when there is none') }, async (request) => {
      const user = customer(request)
      const chosen = (await listAddresses(db, user.id))[0]
      if (chosen !== undefined) return { ...chosen, customer_id: user.id }
      const nowhere = { alternate_phone: '', address: '', landmark: '', note: '', area_id: null, is_default: false }
      return { id: user.id, customer_id: user.id, name: user.name, email: user.email ?? '', phone: user.phone, ...nowhere }
    })

    app.get('/address/all', { schema: schema('The addresses of the customer') }, async (request) => listAddresses(db, customer(request).id))

    app.post(
      '/address/add/:id',
      { schema: { ...schema('Add an address'), params: idParams, body: addressBody } },
      async (request, reply) => {
        const user = customer(request)
        if (request.params.id !== user.id) return reply.refuse(404, 'error.not-found')
        const form = { ...request.body, landmark: request.body.landmark ?? '' }
        const errors = await errorsOf(deps, form, request)
        if (errors !== null) return refuseFields(reply, errors)
        const added = await addAddress(db, user.id, normalizeAddress(form))
        if (!added.ok) return reply.refuse(409, 'address.book-full')
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
        if (errors !== null) return refuseFields(reply, errors)
        const tidy = normalizeAddress(form)
        const saved = await updateAddress(db, customer(request).id, request.params.id, {
          ...tidy,
          landmark: landmark === null ? null : tidy.landmark,
        })
        if (saved === null) return reply.refuse(404, 'error.not-found')
        return { message: translate(request.viewer.lang)('address.updated'), ...saved }
      },
    )

    const chosenBody = z.object({
      address_id: z.union([
        z.number().int().positive(),
        z
          .string()
          .regex(/^\d{1,15}$/)
          .transform(Number),
      ]),
    })
    app.post('/address/selectAddress', { schema: { ...schema('Choose an address'), body: chosenBody } }, async (request, reply) => {
      const chosen = await chooseAddress(db, customer(request).id, request.body.address_id)
      if (chosen === null) return reply.refuse(404, 'error.not-found')
      return { message: translate(request.viewer.lang)('address.chosen'), ...chosen }
    })

    app.delete('/address/delete/:id', { schema: { ...schema('Delete an address'), params: idParams } }, async (request, reply) => {
      const isGone = await deleteAddress(db, customer(request).id, request.params.id)
      return isGone ? { message: translate(request.viewer.lang)('address.deleted') } : reply.refuse(404, 'error.not-found')
    })
  }
}

function customer(request: FastifyRequest) {
  const { user } = request.viewer
  if (user === null) throw new Error('the hook lets nobody through who is not signed in')
  return user
}

/** What is wrong with an address, as texts at its fields; null when it will do. */
async function errorsOf(deps: AddressApiDeps, form: AddressForm, request: FastifyRequest): Promise<Record<string, string[]> | null> {
  const t = translate(request.viewer.lang)
  const areas = await deps.facts.areas()
  const problems = Object.entries(addressProblems(form, [...areas.keys()]))
  return problems.length === 0 ? null : Object.fromEntries(problems.map(([field, problem]) => [field, [t(problem)]]))
}

function refuseFields(reply: FastifyReply, errors: Record<string, string[]>): FastifyReply | Promise<FastifyReply> {
  const text = Object.values(errors)[0]?.[0]
  return reply.refuse(422, 'error.invalid', { errors, ...(text ? { text } : {}) })
}
