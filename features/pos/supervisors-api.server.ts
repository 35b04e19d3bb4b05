import type { FastifyReply } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { LIST_BODY } from '#lib/http/body-limits.ts'
import { translate } from '#lib/i18n/translate.ts'
import { approveBody, posCodeBody } from './forms.ts'
import { approve, setPosCode, type SupervisorDeps, type SupervisorRejection } from './supervisors.server.ts'

/** The response to a rejected phone and code of a supervisor. */
export function replySupervisorError(reply: FastifyReply, refusal: SupervisorRejection): FastifyReply | Promise<FastifyReply> {
  if (refusal.reason === 'too-many') return reply.fail(429, 'pos.code.too-many', { retryAfterSeconds: refusal.retryAfter })
  const text = translate(reply.request.viewer.lang)('pos.code.wrong')
  return reply.fail(422, 'pos.code.wrong', { errors: { code: [text] } })
}

/** The API of supervisors: approvals at a cashier's POS, and their own code. */
export function posSupervisorsApi(deps: SupervisorDeps): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      '/admin/quick-orders/approve',
      {
        bodyLimit: LIST_BODY,
        config: { permission: 'pos.sell' },
        schema: { tags: ['pos'], summary: 'Approve a sale as a supervisor', body: approveBody },
      },
      async ({ staff, body }, reply) => {
        const result = await approve(deps, staff, body)
        if (result.ok) return { success: true, approved_by: result.by }
        switch (result.reason) {
          case 'too-many':
          case 'wrong':
            return replySupervisorError(reply, result)
          case 'nothing':
            return reply.fail(422, 'pos.approval.nothing')
          case 'sold':
            return reply.fail(409, 'pos.approval.sold')
          case 'no-shift':
            return reply.fail(409, 'pos.no-shift')
        }
      },
    )

    app.post(
      '/admin/quick-orders/code',
      {
        config: {
          permission: 'pos.approve',
          recentProofFor: '/admin/quick-orders/code',
          rateLimit: { max: 20, timeWindow: '1 minute' },
        },
        schema: { tags: ['pos'], summary: 'Set the own approval code', body: posCodeBody },
      },
      async ({ ip, viewer, body }, reply) => {
        const problem = await setPosCode(deps.db, viewer.user!, body.code, { ip, now: deps.now() })
        if (problem === null) return { success: true }
        if (problem === 'ended') return reply.fail(401, 'error.session-ended')
        const text = translate(viewer.lang)(`pos.code.${problem}`)
        return reply.fail(422, `pos.code.${problem}`, { errors: { code: [text] } })
      },
    )
  }
}
