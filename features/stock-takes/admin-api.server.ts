import type { FastifyReply } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Db } from '#lib/db/db.server.ts'
import { withIdempotencyKey } from '#lib/db/idempotency.server.ts'
import { parseCursor } from '#lib/db/keyset.ts'
import { idParams } from '#lib/form-fields.ts'
import { type MessageKey, translate } from '#lib/i18n/translate.ts'
import { cancelTake, closeTake, type TakeEnded } from './close.server.ts'
import { type Counted, countProduct, removeLine, scanProduct, startTake } from './count.server.ts'
import { cancelBody, closeBody, countBody, removeBody, scanBody, startBody } from './forms.ts'
import { findTake, listRows, summarize } from './queries.server.ts'
import { CLOSE_WAIT_MS } from './rules.ts'

interface StockTakesDeps {
  db: Db
  now: () => Date
}

const config = { permission: 'catalog.write' } as const
const tags = ['admin']

/** Lines that a screen refreshes at once. */
const RECENT_ROWS = 20

/** Admin routes of stock takes. */
export function stockTakesApi(deps: StockTakesDeps): FastifyPluginAsyncZod {
  return async (app) => {
    await app.register(sheetRoutes(deps))
    await app.register(countRoutes(deps))
  }
}

function sheetRoutes({ db, now }: StockTakesDeps): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      '/admin/stock-takes',
      { config, schema: { tags, summary: 'Start a stock take of all counted products, or of a category', body: startBody } },
      async (request, reply) => {
        const { staff, body } = request
        const started = await withIdempotencyKey(db, request, (tx) => startTake(tx, staff, body, now()))
        if (started.ok) return { id: started.id, redirect: `/admin/stock-takes/${started.id}` }
        return invalid(reply, 'category_id', 'field.choose')
      },
    )

    app.get(
      '/api/admin/stock-takes/:id/recent',
      { config, schema: { tags, summary: 'The lines of a stock take that were counted last, and its summary', params: idParams } },
      async ({ params }, reply) => {
        const take = await findTake(db, params.id)
        if (!take) return reply.fail(404, 'error.not-found')
        const [{ rows }, summary] = await Promise.all([
          listRows(db, params.id, { list: 'counted', size: RECENT_ROWS }, parseCursor({}, 2)),
          summarize(db, params.id),
        ])
        return { state: take.state, rows, summary }
      },
    )

    app.post(
      '/admin/stock-takes/:id/close',
      {
        config: { ...config, invalidatesCache: true, timeoutMs: CLOSE_WAIT_MS },
        schema: { tags, summary: 'Close a stock take: apply its differences to the stock', params: idParams, body: closeBody },
      },
      async ({ staff, params, body }, reply) => answerEnded(reply, await closeTake(db, staff, params.id, body.revision, now())),
    )

    app.post(
      '/admin/stock-takes/:id/cancel',
      { config, schema: { tags, summary: 'Cancel a stock take without changing stock', params: idParams, body: cancelBody } },
      async ({ staff, params }, reply) => answerEnded(reply, await cancelTake(db, staff, params.id, now())),
    )
  }
}

function countRoutes({ db, now }: StockTakesDeps): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      '/admin/stock-takes/:id/scan',
      { config, schema: { tags, summary: 'Add a scanned quantity to a line of a stock take', params: idParams, body: scanBody } },
      async (request, reply) => {
        const { staff, params, body } = request
        return answerCounted(reply, await withIdempotencyKey(db, request, (tx) => scanProduct(tx, staff, params.id, body, now())))
      },
    )

    app.post(
      '/admin/stock-takes/:id/count',
      { config, schema: { tags, summary: 'Set the counted quantity of a line and its reason', params: idParams, body: countBody } },
      async (request, reply) => {
        const { staff, params, body } = request
        return answerCounted(reply, await withIdempotencyKey(db, request, (tx) => countProduct(tx, staff, params.id, body, now())))
      },
    )

    app.post(
      '/admin/stock-takes/:id/remove',
      { config, schema: { tags, summary: 'Remove a line of a stock take', params: idParams, body: removeBody } },
      async ({ params, body }, reply) => answerCounted(reply, await removeLine(db, params.id, body)),
    )
  }
}

type Answer = FastifyReply | Promise<FastifyReply>

function invalid(reply: FastifyReply, field: string, key: MessageKey): Answer {
  return reply.fail(422, 'error.invalid', { errors: { [field]: [translate(reply.request.viewer.lang)(key)] } })
}

function answerCounted(reply: FastifyReply, result: Counted): Answer | { row: Extract<Counted, { ok: true }>['row'] } {
  if (result.ok) return { row: result.row }
  switch (result.reason) {
    case 'missing':
      return reply.fail(404, 'error.not-found')
    case 'ended':
      return reply.fail(409, 'stock-take.ended', { reason: 'ended' })
    case 'conflict':
      return reply.fail(409, 'stock-take.conflict', { row: result.row })
    case 'reason':
      return invalid(reply, 'reason', 'stock-take.reason-bad')
    case 'quantity':
      return invalid(reply, 'quantity', 'stock-take.quantity-bad')
    case 'too-much':
    case 'stock-moved':
      return invalid(reply, 'quantity', `stock-take.${result.reason}`)
    default:
      return invalid(reply, 'product_id', `stock-take.${result.reason}`)
  }
}

function answerEnded(reply: FastifyReply, result: TakeEnded): Answer | { ok: true } {
  if (result.ok) return { ok: true }
  switch (result.reason) {
    case 'missing':
      return reply.fail(404, 'error.not-found')
    case 'lines':
      return reply.fail(409, 'stock-take.lines-problem', { problems: result.problems })
    case 'empty':
      return reply.fail(422, 'stock-take.nothing-counted')
    case 'changed':
      return reply.fail(409, 'stock-take.changed')
    case 'ended':
      return reply.fail(409, 'stock-take.ended')
  }
}
