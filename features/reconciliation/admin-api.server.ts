import type { FastifyReply } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Db } from '#lib/db/db.server.ts'
import { withIdempotencyKey } from '#lib/db/idempotency.server.ts'
import { idParams } from '#lib/form-fields.ts'
import { formatFullDay } from '#lib/format/time.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { translate } from '#lib/i18n/translate.ts'
import { createAccount, findAccount, type Imported, importStatement, matchAgain } from './accounts.server.ts'
import { deleteAccount, renameAccount } from './change-account.server.ts'
import { closeDay, type DayClosed, reopenDay } from './close-day.server.ts'
import { deleteUpload } from './delete-upload.server.ts'
import { explainRow, matchByHand, type RowDecided, unmatchRow } from './decide-row.server.ts'
import { accountBody, closeDayBody, matchBody, reasonBody, renameBody, reopenDayBody, statementBody } from './forms.ts'
import { listCandidates } from './queries.server.ts'
import { previewStatement } from './read-statement.server.ts'
import { MAX_STATEMENT_BYTES } from './rules.ts'

interface ReconciliationDeps {
  db: Db
  now: () => Date
}

const config = { permission: 'payments.reconcile' } as const
const tags = ['admin']
const IMPORT_MS = 30_000
const uploadParams = idParams.extend({ upload: idParams.shape.id })

/** Admin routes of reconciliation. */
export function reconciliationApi(deps: ReconciliationDeps): FastifyPluginAsyncZod {
  return async (app) => {
    await app.register(accountRoutes(deps))
    await app.register(uploadRoutes(deps))
    await app.register(dayRoutes(deps))
    await app.register(rowRoutes(deps))
  }
}

function accountRoutes({ db, now }: ReconciliationDeps): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      '/admin/payments/accounts',
      { config, schema: { tags, summary: 'Add an account whose statements are reconciled', body: accountBody } },
      async (request, reply) => {
        const { staff, body } = request
        const created = await withIdempotencyKey(db, request, (tx) => createAccount(tx, staff, body, now()))
        if (created.ok) return { id: created.id, redirect: `/admin/payments/accounts/${created.id}` }
        return refuseField(reply, 'name', 'reconcile.name-used')
      },
    )

    app.post(
      '/admin/payments/accounts/:id',
      { config, schema: { tags, summary: 'Rename an account', params: idParams, body: renameBody } },
      async ({ staff, params, body }, reply) => {
        const renamed = await renameAccount(db, staff, params.id, body)
        if (renamed.ok) return { ok: true }
        if (renamed.reason === 'stale') return reply.fail(409, 'admin.stale', { name: renamed.name })
        return renamed.reason === 'missing' ? reply.fail(404, 'error.not-found') : refuseField(reply, 'name', 'reconcile.name-used')
      },
    )

    app.delete(
      '/admin/payments/accounts/:id',
      { config, schema: { tags, summary: 'Delete an account without statements and reconciled days', params: idParams } },
      async ({ staff, params }, reply) => {
        const deleted = await deleteAccount(db, staff, params.id)
        if (deleted.ok) return { ok: true }
        return deleted.reason === 'missing' ? reply.fail(404, 'error.not-found') : reply.fail(409, 'reconcile.account-in-use')
      },
    )

    app.post(
      '/admin/payments/accounts/:id/match',
      { config, schema: { tags, summary: 'Match the open rows of an account again', params: idParams } },
      async ({ staff, params }, reply) => {
        const matched = await matchAgain(db, staff, params.id, now())
        return matched === null ? reply.fail(404, 'error.not-found') : { matched }
      },
    )
  }
}

function uploadRoutes({ db, now }: ReconciliationDeps): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      '/admin/payments/accounts/:id/statement',
      {
        config: { ...config, timeoutMs: IMPORT_MS },
        // JSON escapes quotes and line breaks of the file.
        bodyLimit: 2 * MAX_STATEMENT_BYTES,
        schema: {
          tags,
          summary: 'Upload a statement as CSV. Without `mapping` the response is a preview with the columns of the file',
          params: idParams,
          body: statementBody,
        },
      },
      async ({ staff, params, body }, reply) => {
        if (Buffer.byteLength(body.csv) > MAX_STATEMENT_BYTES) return reply.fail(413, 'reconcile.large')
        const account = await findAccount(db, params.id)
        if (!account) return reply.fail(404, 'error.not-found')
        if (!body.mapping) {
          const read = previewStatement(body.csv, account.mapping)
          return read.ok ? { preview: read.preview } : refuseStatement(reply, read)
        }
        const { csv, file_name: fileName, mapping } = body
        const imported = await importStatement(db, staff, params.id, { csv, fileName, mapping }, now())
        if (!imported.ok) return refuseStatement(reply, imported)
        const { ok: _ok, ...result } = imported
        return result
      },
    )

    app.delete(
      '/admin/payments/accounts/:id/uploads/:upload',
      {
        config,
        schema: { tags, summary: 'Delete an upload with its rows and their automatic matches', params: uploadParams },
      },
      async ({ staff, params }, reply) => {
        const deleted = await deleteUpload(db, staff, params.id, params.upload, now())
        if (deleted.ok) return { ok: true }
        return deleted.reason === 'missing' ? reply.fail(404, 'error.not-found') : reply.fail(409, `reconcile.upload-${deleted.reason}`)
      },
    )
  }
}

function dayRoutes({ db, now }: ReconciliationDeps): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      '/admin/payments/accounts/:id/close',
      { config, schema: { tags, summary: 'Mark a day as reconciled', params: idParams, body: closeDayBody } },
      async ({ staff, params, body }, reply) => answerDay(reply, await closeDay(db, staff, params.id, body, now())),
    )

    app.post(
      '/admin/payments/accounts/:id/reopen',
      { config, schema: { tags, summary: 'Open a reconciled day again', params: idParams, body: reopenDayBody } },
      async ({ staff, params, body }, reply) => answerDay(reply, await reopenDay(db, staff, params.id, body)),
    )
  }
}

function rowRoutes({ db, now }: ReconciliationDeps): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      '/api/admin/payments/statement-rows/:id/candidates',
      { config, schema: { tags, summary: 'List ledger entries that a statement row may belong to', params: idParams } },
      async ({ params }, reply) => {
        const entries = await listCandidates(db, params.id)
        return entries ? { entries } : reply.fail(404, 'error.not-found')
      },
    )

    app.post(
      '/admin/payments/statement-rows/:id/match',
      { config, schema: { tags, summary: 'Match a statement row with ledger entries by hand', params: idParams, body: matchBody } },
      async ({ staff, params, body }, reply) => answerRow(reply, await matchByHand(db, staff, params.id, body, now())),
    )

    app.post(
      '/admin/payments/statement-rows/:id/explain',
      { config, schema: { tags, summary: 'Mark a statement row as one without ledger entry', params: idParams, body: reasonBody } },
      async ({ staff, params, body }, reply) => answerRow(reply, await explainRow(db, staff, params.id, body.reason, now())),
    )

    app.post(
      '/admin/payments/statement-rows/:id/unmatch',
      { config, schema: { tags, summary: 'Remove the match of a statement row', params: idParams, body: reasonBody } },
      async ({ staff, params, body }, reply) => answerRow(reply, await unmatchRow(db, staff, params.id, body.reason)),
    )
  }
}

type Answer = FastifyReply | Promise<FastifyReply>

function refuseField(reply: FastifyReply, field: string, key: 'reconcile.name-used' | 'reconcile.note-required'): Answer {
  return reply.fail(422, 'error.invalid', { errors: { [field]: [translate(reply.request.viewer.lang)(key)] } })
}

function answerDay(reply: FastifyReply, result: DayClosed): Answer | { ok: true } {
  if (result.ok) return { ok: true }
  switch (result.reason) {
    case 'missing':
      return reply.fail(404, 'error.not-found')
    case 'note-required':
      return refuseField(reply, 'note', 'reconcile.note-required')
    case 'future':
      return reply.fail(422, 'reconcile.future')
    case 'changed':
    case 'closed':
    case 'open':
      return reply.fail(409, `reconcile.day-${result.reason}`)
  }
}

function answerRow(reply: FastifyReply, result: RowDecided): Answer | { ok: true } {
  if (result.ok) return { ok: true }
  if (result.reason === 'missing') return reply.fail(404, 'error.not-found')
  return reply.fail(409, `reconcile.row-${result.reason}`)
}

function refuseStatement(
  reply: FastifyReply,
  result: Exclude<Imported, { ok: true }> | Exclude<ReturnType<typeof previewStatement>, { ok: true }>,
): Answer {
  const { lang } = reply.request.viewer
  const t = translate(lang)
  const line = (number: number) => localizeDigits(lang, String(number))
  switch (result.reason) {
    case 'missing':
      return reply.fail(404, 'error.not-found')
    case 'broken':
      return reply.fail(422, 'error.invalid', { text: t('reconcile.broken', { line: line(result.line) }) })
    case 'closed':
      return reply.fail(409, 'error.invalid', {
        text: t('reconcile.closed-row', { line: line(result.line), day: formatFullDay(result.day, lang) }),
      })
    case 'columns':
      return reply.fail(422, 'error.invalid', { text: t('reconcile.missing-columns', { names: result.missing.join(', ') }) })
    case 'cells': {
      const lines = result.problems.map(({ line: number, column, value, reason }) =>
        t(`reconcile.bad-${reason}`, { line: line(number), column, value }),
      )
      return reply.fail(422, 'error.invalid', { text: lines[0]!, errors: { csv: lines } })
    }
    default:
      return reply.fail(422, `reconcile.${result.reason}`)
  }
}
