import type { FastifyReply } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { StaffActor } from '#features/auth/permissions.ts'
import type { AdminDeps } from '#features/orders/order-deps.ts'
import { withIdempotencyKey } from '#lib/db/idempotency.server.ts'
import { idParams } from '#lib/form-fields.ts'
import { dhakaDate } from '#lib/format/time.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { translate } from '#lib/i18n/translate.ts'
import { cashMoveBody, closeShiftBody, type CloseShiftForm, openShiftBody } from './forms.ts'
import { recordDrawerOpening } from './drawer.server.ts'
import { findRegisterHolder } from './registers.server.ts'
import { reportScope } from './report-scope-rules.ts'
import { enabledMethods } from './rules.ts'
import { type CashMoved, closeShift, moveCash, openShift } from './shifts.server.ts'

/** The API of shifts: open, cash in and out, close. */
export function posShiftApi(deps: AdminDeps): FastifyPluginAsyncZod {
  const { db, now } = deps
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
        let isRepeated = true
        const moved = await withIdempotencyKey<CashMoved>(db, request, async (tx, earlier) => {
          // The same movement with other words: its answer was lost.
          if (earlier?.at) return earlier
          isRepeated = false
          return moveCash(tx, staff, body, now())
        })
        // The cashier decides whether the same words are the movement whose answer was lost, or another one.
        if (moved.ok) return { success: true, ...(isRepeated ? { recorded_at: moved.at } : {}) }
        if (moved.reason === 'no-shift') return reply.fail(409, 'pos.no-shift')
        return reply.fail(422, 'pos.more-than-there-is', { errors: { amount: [translate(viewer.lang)('pos.more-than-there-is')] } })
      },
    )

    app.post(
      '/admin/quick-orders/shift/open-drawer',
      { config: { permission: 'pos.sell' }, schema: { tags: ['pos'], summary: 'Log that the drawer is opened without a sale' } },
      async ({ staff }, reply) => ((await recordDrawerOpening(db, staff)) ? { success: true } : reply.fail(409, 'pos.no-shift')),
    )

    app.post(
      '/admin/quick-orders/shift/close',
      { config: { permission: 'pos.sell' }, schema: { tags: ['pos'], summary: "Close the cashier's shift", body: closeShiftBody } },
      (request, reply) => close(deps, request, reply),
    )

    app.post(
      '/admin/quick-orders/shift/close/:id',
      {
        config: { permission: 'pos.approve' },
        schema: { tags: ['pos'], summary: 'Close the shift of another cashier', params: idParams, body: closeShiftBody },
      },
      (request, reply) => close(deps, request, reply, request.params.id),
    )
  }
}

interface CloseRequest {
  staff: StaffActor
  viewer: { lang: Lang }
  body: CloseShiftForm
}

/** Closes the cashier's own shift, or the one of this id. */
async function close({ db, now, shopCache }: AdminDeps, { staff, viewer, body }: CloseRequest, reply: FastifyReply, shiftId?: number) {
  const settings = await shopCache.settings()
  const options = { methods: enabledMethods(settings.pos_methods), now: now(), ...(shiftId === undefined ? {} : { shiftId }) }
  const closed = await closeShift(db, staff, body, options)
  if (closed.ok) return { success: true, redirect: `/admin/quick-orders/shifts?day=${dhakaDate(closed.openedAt)}` }
  if (closed.reason === 'no-shift') return reply.fail(409, 'pos.shift-already-closed')
  const text = translate(viewer.lang)('pos.unexplained')
  const { isBlind } = reportScope(staff, settings)
  return reply.fail(422, 'pos.unexplained', { errors: { note: [text] }, ...(isBlind ? {} : { differences: closed.differences }) })
}
