import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Db } from '#lib/db/db.server.ts'
import { idParams } from '#lib/form-fields.ts'
import { translate } from '#lib/i18n/translate.ts'
import { changeRegister } from './change-register.server.ts'
import { registerBody } from './register-forms.ts'

/** The API of the registers: rename, switch on and off. A register is created by the first shift that names it. */
export function posRegisterApi({ db }: { db: Db }): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      '/admin/quick-orders/registers/:id',
      {
        config: { permission: 'pos.approve' },
        schema: { tags: ['pos'], summary: 'Rename a register, or switch it on or off', params: idParams, body: registerBody },
      },
      async ({ staff, viewer, params, body }, reply) => {
        const { version, ...form } = body
        const changed = await changeRegister(db, staff, params.id, version, form)
        if (changed.ok) return { register: changed.register }
        const t = translate(viewer.lang)
        switch (changed.reason) {
          case 'stale':
            return reply.fail(409, 'admin.stale')
          case 'missing':
            return reply.fail(404, 'error.not-found')
          case 'name-taken':
            return reply.fail(422, 'error.invalid', { errors: { name: [t('pos.registers.name-taken')] } })
          case 'in-use':
            return reply.fail(422, 'error.invalid', { errors: { active: [t('pos.registers.in-use', { name: changed.by })] } })
        }
      },
    )
  }
}
