import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { withIdempotencyKey } from '#lib/db/idempotency.server.ts'
import type { Db } from '#lib/db/db.server.ts'
import { idParams, textField } from '#lib/form-fields.ts'
import { formatNumber } from '#lib/format/numbers.ts'
import { isStorable } from '#lib/format/text.ts'
import { translate } from '#lib/i18n/translate.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { statusText } from '../orders/editing/status-text.server.ts'
import { ORDER_STATUSES } from '../orders/rules.ts'
import { type BulkFailure, listBulkFailures, listBulkRuns } from './bulk-queries.server.ts'
import { cancelBulkRun, countMatching, dismissBulkRun, startBulkRun } from './start-bulk-run.server.ts'
import { FAILURES_PAGE, MAX_RUN_ORDERS, MAX_RUNNING } from './types.ts'

const queryField = z.string().max(2000).refine(isStorable)
const countField = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER)

const runBody = z.strictObject({
  query: queryField,
  status: z.enum(ORDER_STATUSES, { error: 'admin-orders.status-unknown' }),
  reason: textField().default(''),
  count: countField,
  up_to: countField,
})

/** Routes of the admin that change all orders of a filter in the background. */
export function bulkOrdersApi(deps: { db: Db }): FastifyPluginAsyncZod {
  return async (app) => {
    await app.register(readApi(deps))
    await app.register(writeApi(deps))
  }
}

function readApi({ db }: { db: Db }): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      '/api/admin/orders/bulk/count',
      {
        config: { permission: 'orders.write' },
        schema: {
          tags: ['admin orders'],
          summary: 'Count all orders of a filter',
          querystring: z.object({ query: queryField.default('') }),
        },
      },
      ({ query }) => countMatching(db, query.query),
    )

    app.get(
      '/api/admin/orders/bulk',
      {
        // The list of orders asks every few seconds while a change goes on.
        config: { permission: 'orders.read', isBackground: true },
        schema: { tags: ['admin orders'], summary: 'List bulk changes with their progress' },
      },
      async () => ({ runs: await listBulkRuns(db) }),
    )

    app.get(
      '/api/admin/orders/bulk/:id/failures',
      {
        config: { permission: 'orders.read' },
        schema: {
          tags: ['admin orders'],
          summary: 'List the orders that a bulk change left unchanged, and why',
          params: idParams,
          querystring: z.object({ after: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).default(0) }),
        },
      },
      async ({ params, query, viewer }) => {
        const found = await listBulkFailures(db, params.id, query.after)
        const failures = []
        for (const { id, failure } of found) failures.push({ id, message: await failureText(db, failure, viewer.lang) })
        return { failures, next: found.length < FAILURES_PAGE ? null : (found.at(-1)?.id ?? null) }
      },
    )
  }
}

function writeApi({ db }: { db: Db }): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      '/admin/orders/bulk',
      {
        config: { permission: 'orders.write' },
        schema: { tags: ['admin orders'], summary: 'Change the status of all orders of a filter in the background', body: runBody },
      },
      async (request, reply) => {
        const { staff, viewer, body } = request
        const result = await withIdempotencyKey(db, request, (tx) => startBulkRun(tx, body, staff))
        if (result.ok) return { id: result.id, total: result.total, runs: await listBulkRuns(db) }
        const number = (value: number) => formatNumber(value, viewer.lang)
        switch (result.reason) {
          case 'reason-required':
            return reply.fail(422, 'admin-orders.reason-required', {
              errors: { reason: [translate(viewer.lang)('admin-orders.reason-required')] },
            })
          case 'none':
            return reply.fail(422, 'admin-orders.all-none')
          case 'too-many-orders':
            return reply.fail(422, 'error.invalid', {
              text: translate(viewer.lang)('admin-orders.all-too-many', { count: number(MAX_RUN_ORDERS) }),
            })
          case 'too-many-runs':
            return reply.fail(409, 'error.invalid', {
              text: translate(viewer.lang)('admin-orders.all-too-many-runs', { count: number(MAX_RUNNING) }),
            })
          case 'changed':
            return reply.fail(409, 'error.invalid', {
              text: translate(viewer.lang)('admin-orders.all-changed', { count: number(result.count) }),
            })
        }
      },
    )

    app.post(
      '/admin/orders/bulk/:id/cancel',
      {
        config: { permission: 'orders.write' },
        schema: { tags: ['admin orders'], summary: 'Stop a bulk change; changed orders stay changed', params: idParams },
      },
      async ({ params, staff }, reply) =>
        (await cancelBulkRun(db, params.id, staff)) ? { runs: await listBulkRuns(db) } : reply.fail(409, 'admin-orders.all-ended'),
    )

    app.post(
      '/admin/orders/bulk/:id/dismiss',
      {
        config: { permission: 'orders.write' },
        schema: { tags: ['admin orders'], summary: 'Take an ended bulk change from the list', params: idParams },
      },
      async ({ params }, reply) =>
        (await dismissBulkRun(db, params.id)) ? { runs: await listBulkRuns(db) } : reply.fail(404, 'error.not-found'),
    )
  }
}

function failureText(db: Db, failure: BulkFailure, lang: Lang): string | Promise<string> {
  if (failure.reason === 'needs-check') return translate(lang)('admin-orders.all-needs-check')
  if (failure.reason === 'error') return translate(lang)('admin.failed')
  return statusText(db, failure, lang)
}
