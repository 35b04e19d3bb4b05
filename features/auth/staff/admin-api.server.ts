import type { FastifyReply } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Db } from '#lib/db/db.server.ts'
import { emptyBody, idParams } from '#lib/form-fields.ts'
import { translate } from '#lib/i18n/translate.ts'
import {
  addStaff,
  changeRole,
  disableStaff,
  enableStaff,
  renewPassword,
  resetFactor,
  type StaffChange,
  type StaffError,
} from './commands.server.ts'
import { newStaffBody, roleBody } from './forms.ts'
import { findStaff } from './queries.server.ts'

/** Routes for managing the staff. Each returns the changed person. */
export function staffApi({ db, now }: { db: Db; now: () => Date }): FastifyPluginAsyncZod {
  const person = async (id: number) => ({ person: await findStaff(db, id) })
  const fail = async (reply: FastifyReply, id: number, reason: StaffError) => {
    if (reason === 'stale') return reply.fail(409, 'admin.stale-row', await person(id))
    return reason === 'missing' ? reply.fail(404, 'error.not-found') : reply.fail(409, `staff.${reason}`)
  }
  const answer = async (reply: FastifyReply, id: number, change: StaffChange) => (change.ok ? person(id) : fail(reply, id, change.reason))
  const config = { permission: 'staff.write' } as const
  const provenConfig = { ...config, recentProofFor: '/admin/staff' } as const
  // Each call hashes a new password.
  const hashingConfig = { ...provenConfig, rateLimit: { max: 20, timeWindow: '1 minute' } }
  const params = idParams

  return async (app) => {
    app.post(
      '/admin/staff/store',
      { config: hashingConfig, schema: { tags: ['admin'], summary: 'Add a member of staff', body: newStaffBody } },
      async (request, reply) => {
        const { name, phone, role } = request.body
        const added = await addStaff(db, request.staff, { name, phone, role }, now())
        if (added.ok) return { ...(await person(added.id)), password: added.password }
        const text = translate(request.viewer.lang)(`staff.phone-${added.reason}`)
        return reply.fail(422, `staff.phone-${added.reason}`, { errors: { phone: [text] } })
      },
    )
    app.post(
      '/admin/staff/:id/role',
      { config: provenConfig, schema: { tags: ['admin'], summary: 'Change the role of a member of staff', params, body: roleBody } },
      async ({ staff, params: { id }, body }, reply) => answer(reply, id, await changeRole(db, staff, id, body)),
    )
    app.post(
      '/admin/staff/:id/disable',
      { config, schema: { tags: ['admin'], summary: 'Disable an account', params, body: emptyBody } },
      async ({ staff, params: { id } }, reply) => answer(reply, id, await disableStaff(db, staff, id, now())),
    )
    app.post(
      '/admin/staff/:id/enable',
      { config: provenConfig, schema: { tags: ['admin'], summary: 'Enable an account', params, body: emptyBody } },
      async ({ staff, params: { id } }, reply) => answer(reply, id, await enableStaff(db, staff, id)),
    )
    app.post(
      '/admin/staff/:id/second-factor',
      { config: provenConfig, schema: { tags: ['admin'], summary: 'Delete a lost second factor', params, body: emptyBody } },
      async ({ staff, params: { id } }, reply) => answer(reply, id, await resetFactor(db, staff, id)),
    )
    app.post(
      '/admin/staff/:id/password',
      { config: hashingConfig, schema: { tags: ['admin'], summary: 'Set a one-time password', params, body: emptyBody } },
      async ({ staff, params: { id } }, reply) => {
        const renewed = await renewPassword(db, staff, id)
        return renewed.ok ? { ...(await person(id)), password: renewed.password } : fail(reply, id, renewed.reason)
      },
    )
  }
}
