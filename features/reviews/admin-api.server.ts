import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { z } from 'zod'
import { type Actor, audit } from '#features/audit/audit.server.ts'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import { updateVersioned } from '#lib/db/versioned.server.ts'
import { idParams } from '#lib/form-fields.ts'
import { handleReviewBody } from './forms.ts'
import { findReview } from './queries.server.ts'
import type { ReviewRow } from './types.ts'

/** The admin route that publishes, refuses and answers a review. */
export function reviewsAdminApi(deps: { db: Db; now: () => Date }): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      '/admin/reviews/:id',
      {
        config: { permission: 'catalog.write', invalidatesCache: true },
        schema: { tags: ['admin'], summary: 'Publish, refuse or answer a review', params: idParams, body: handleReviewBody },
      },
      async ({ staff, params, body }, reply) => {
        const handled = await handleReview(deps.db, staff, params.id, body, deps.now())
        if (handled.ok) return { review: handled.review }
        if (handled.reason === 'missing') return reply.fail(404, 'error.not-found')
        return reply.fail(409, 'admin.stale-row', { review: await findReview(deps.db, params.id) })
      },
    )
  }
}

type Handled = { ok: true; review: ReviewRow } | { ok: false; reason: 'stale' | 'missing' }

/** Handles a review if it still has this version: the buyer may have changed it meanwhile. */
function handleReview(
  db: Db,
  actor: Actor,
  id: number,
  { state, refusal, answer, version }: z.output<typeof handleReviewBody>,
  now: Date,
): Promise<Handled> {
  return inTransaction(db, async (tx) => {
    const before = await findReview(tx, id)
    const changes = { state, refusal: state === 'refused' ? refusal : '', answer, handled_by: actor.id, handled_at: now }
    const updated = await updateVersioned(tx, 'reviews', id, version, changes)
    if (!updated.ok) return updated
    const review = await findReview(tx, id)
    if (!before || !review) throw new Error(`review ${id} was deleted while it was written`)
    await audit(tx, actor, { action: 'changed', subject: 'review', id, before: decisionOf(before), after: decisionOf(review) })
    return { ok: true, review }
  })
}

/** The decision of staff. The log contains no data of the buyer. */
function decisionOf({ state, refusal, answer }: ReviewRow) {
  return { state, refusal, answer }
}
