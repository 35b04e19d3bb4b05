import type { FastifyReply } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Db } from '#lib/db/db.server.ts'
import { idParams } from '#lib/form-fields.ts'
import { translate } from '#lib/i18n/translate.ts'
import {
  addStaff,
  changeRole,
  disableStaff,
  enableStaff,
  renewPassword,
  resetFactor,
  type StaffChange,
  type StaffRefusal,
} from './commands.server.ts'
import { newStaffBody, nothingBody, roleBody } from './forms.ts'
import { findStaff } from './queries.server.ts'

/** What the owner does with the staff. Each answers the person as they are now. */
export function staffApi({ db, now }: { db: Db; now: () => Date }): FastifyPluginAsyncZod {
  const person = async (id: number) => ({ person: await findStaff(db, id) })
  const refuse = (reply: FastifyReply, reason: StaffRefusal) =>
    reason === 'missing' ? reply.refuse(404, 'error.not-found') : reply.refuse(409, `staff.${reason}`)
  const answer = async (reply: FastifyReply, id: number, change: StaffChange) => (change.ok ? person(id) : refuse(reply, change.reason))
  const config = { right: 'staff.write' } as const
  // A new password is hashed for each.
  const hashes = { ...config, rateLimit: { max: 20, timeWindow: '1 minute' } }
  const params = idParams

  return async (app) => {
    app.post(
      '/admin/staff/store',
      { config: hashes, schema: { tags: ['admin'], summary: 'Take somebody into the staff', body: newStaffBody } },
      async (request, reply) => {
        const { name, phone, role } = request.body
        const added = await addStaff(db, request.staff, { name, phone, role }, now())
        if (added.ok) return { ...(await person(added.id)), password: added.password }
        const text = translate(request.viewer.lang)(`staff.phone-${added.reason}`)
        return reply.refuse(422, `staff.phone-${added.reason}`, { errors: { phone: [text] } })
      },
    )
    app.post(
      '/admin/staff/:id/role',
      { config, schema: { tags: ['admin'], summary: 'Change somebody’s role', params, body: roleBody } },
      async ({ staff, params: { id }, body }, reply) => answer(reply, id, await changeRole(db, staff, id, body.role)),
    )
    app.post(
      '/admin/staff/:id/disable',
      { config, schema: { tags: ['admin'], summary: 'Close somebody’s account', params, body: nothingBody } },
      async ({ staff, params: { id } }, reply) => answer(reply, id, await disableStaff(db, staff, id, now())),
    )
    app.post(
      '/admin/staff/:id/enable',
      { config, schema: { tags: ['admin'], summary: 'Open somebody’s account again', params, body: nothingBody } },
      async ({ staff, params: { id } }, reply) => answer(reply, id, await enableStaff(db, staff, id)),
    )
    app.post(
      '/admin/staff/:id/second-factor',
      { config, schema: { tags: ['admin'], summary: 'Take a lost second factor away', params, body: nothingBody } },
      async ({ staff, params: { id } }, reply) => answer(reply, id, await resetFactor(db, staff, id)),
    )
    app.post(
      '/admin/staff/:id/password',
      { config: hashes, schema: { tags: ['admin'], summary: 'Give a new password that is good once', params, body: nothingBody } },
      async ({ staff, params: { id } }, reply) => {
        const renewed = await renewPassword(db, staff, id)
        return renewed.ok ? { ...(await person(id)), password: renewed.password } : refuse(reply, renewed.reason)
      },
    )
  }
}
