import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { AdminDeps } from '#features/orders/order-deps.ts'
import { withIdempotencyKey } from '#lib/db/idempotency.server.ts'
import { translate } from '#lib/i18n/translate.ts'
import { cashMoveBody, closeShiftBody, openShiftBody } from './forms.ts'
import { findRegisterHolder } from './registers.server.ts'
import { reportScope } from './report-scope-rules.ts'
import { enabledMethods } from './rules.ts'
import { closeShift, moveCash, openShift } from './shifts.server.ts'

/** The API of shifts: open, cash in and out, close. */
export function posShiftApi({ db, now, shopCache }: AdminDeps): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      '/admin/quick-orders/shift/open',
      { config: { permission: 'pos.sell' }, schema: { tags: ['pos'], summary: "Open the cashier's shift", body: openShiftBody } },
      async ({ staff, viewer, body }, reply) => {
        const opened = await openShift(db, staff, body, now())
        if (opened.ok) return { success: true, shift_id: opened.id, register: opened.register, register_id: opened.registerId }
        if (opened.reason === 'already-open') return reply.fail(409, 'pos.shift-already-open')
        const t = translate(viewer.lang)
        if (opened.reason === 'register-off') return reply.fail(422, 'error.invalid', { errors: { register: [t('pos.register-off')] } })
        const name = (await findRegisterHolder(db, body.register)) ?? ''
        return reply.fail(409, 'pos.register-taken', { errors: { register: [t('pos.register-taken-by', { name })] } })
      },
    )

    app.post(
      '/admin/quick-orders/shift/cash',
      { config: { permission: 'pos.sell' }, schema: { tags: ['pos'], summary: 'Cash into the drawer, or out of it', body: cashMoveBody } },
      async (request, reply) => {
        const { staff, viewer, body } = request
        const moved = await withIdempotencyKey(db, request, (tx) => moveCash(tx, staff, body, now()))
        if (moved.ok) return { success: true }
        if (moved.reason === 'no-shift') return reply.fail(409, 'pos.no-shift')
        return reply.fail(422, 'pos.more-than-there-is', { errors: { amount: [translate(viewer.lang)('pos.more-than-there-is')] } })
      },
    )

    app.post(
      '/admin/quick-orders/shift/close',
      { config: { permission: 'pos.sell' }, schema: { tags: ['pos'], summary: "Close the cashier's shift", body: closeShiftBody } },
      async ({ staff, viewer, body }, reply) => {
        const settings = await shopCache.settings()
        const closed = await closeShift(db, staff, body, { methods: enabledMethods(settings.pos_methods), now: now() })
        if (closed.ok) return { success: true, redirect: '/admin/quick-orders/shifts' }
        if (closed.reason === 'no-shift') return reply.fail(409, 'pos.no-shift')
        const text = translate(viewer.lang)('pos.unexplained')
        const { isBlind } = reportScope(staff, settings)
        return reply.fail(422, 'pos.unexplained', { errors: { note: [text] }, ...(isBlind ? {} : { differences: closed.differences }) })
      },
    )
  }
}
