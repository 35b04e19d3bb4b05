import type { FastifyReply } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { MAX_CSV_BYTES } from '#features/catalog/limits.ts'
import { seasonStart } from '#features/settings/season-rules.ts'
import type { Settings } from '#features/settings/settings.ts'
import { COUNT_WAIT_MS } from '#features/stock/rules.ts'
import { LIST_BODY } from '#lib/http/body-limits.ts'
import type { Db } from '#lib/db/db.server.ts'
import { idParams } from '#lib/form-fields.ts'
import { type MessageKey, textByData, textByKey, translate } from '#lib/i18n/translate.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { withIdempotencyKey } from '#lib/db/idempotency.server.ts'
import { dhakaDate } from '#lib/format/time.ts'
import { archiveProduct } from './archive-product.server.ts'
import { changeSeveral } from './bulk-change.server.ts'
import { cellOf, CSV_COLUMNS } from './csv-columns.ts'
import type { Choices } from './field-types.ts'
import { type ImportPlan, importProducts } from './import-products.server.ts'
import { copyProduct } from './copy-product.server.ts'
import { countStock, listMovements } from './count-stock.server.ts'
import { tagField } from './form-fields.ts'
import { bulkBody, healthBody, newProductBody, productBody, stockBody } from './forms.ts'
import { addHealthRecord, deleteHealthRecord } from './health-records.server.ts'
import { findProductRecord } from './product-editor-queries.server.ts'
import { changeProduct, createProduct, type FieldProblems, type ProductWritten } from './write-product.server.ts'

const IMPORT_MS = 60_000
const importBody = z.strictObject({ csv: z.string({ error: 'field.required' }), previewHash: z.string().max(64).optional() })

const tags = ['admin']
const write = { permission: 'catalog.write', invalidatesCache: true } as const

interface ProductsApiDeps {
  db: Db
  shopCache: { settings(): Promise<Settings> }
  now: () => Date
}

/** Admin routes of products. */
export function productsApi(deps: ProductsApiDeps): FastifyPluginAsyncZod {
  return async (app) => {
    await app.register(productRoutes(deps))
    await app.register(archiveRoutes(deps))
    await app.register(bulkRoute(deps))
    await app.register(importRoute(deps))
    await app.register(stockRoute(deps))
    await app.register(healthRoutes(deps))
  }
}

function productRoutes({ db, now }: ProductsApiDeps): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      '/admin/products/store',
      { bodyLimit: LIST_BODY, config: write, schema: { tags, summary: 'Add a product', body: newProductBody } },
      async (request, reply) => {
        const { staff, body, viewer } = request
        const written = await withIdempotencyKey(db, request, (tx) => createProduct(tx, staff, body, dhakaDate(now())))
        return written.ok
          ? { product: written.product, redirect: `/admin/products/${written.product.id}` }
          : refuse(reply, written, viewer.lang)
      },
    )

    app.post(
      '/admin/products/:id',
      { bodyLimit: LIST_BODY, config: write, schema: { tags, summary: 'Update a product', params: idParams, body: productBody } },
      async ({ staff, params, body, viewer }, reply) => {
        const { version, ...form } = body
        const written = await changeProduct(db, staff, params.id, version, form)
        return written.ok ? { product: written.product } : refuse(reply, written, viewer.lang)
      },
    )

    app.post(
      '/admin/products/:id/copy',
      {
        config: write,
        schema: { tags, summary: 'Copy a product into a hidden new one', params: idParams, body: z.strictObject({ tag_number: tagField }) },
      },
      async (request, reply) => {
        const { staff, params, body, viewer } = request
        const copied = await withIdempotencyKey(db, request, (tx) => copyProduct(tx, staff, params.id, body.tag_number))
        if (copied.ok) return { id: copied.id, redirect: `/admin/products/${copied.id}` }
        if (copied.reason === 'missing') return reply.fail(404, 'error.not-found')
        return invalid(reply, [['tag_number', copied.reason === 'tag-taken' ? 'products.tag-taken' : 'field.required']], viewer.lang)
      },
    )
  }
}

function archiveRoutes({ db, now }: ProductsApiDeps): FastifyPluginAsyncZod {
  return async (app) => {
    for (const [action, isArchived] of [
      ['archive', true],
      ['restore', false],
    ] as const) {
      app.post(
        `/admin/products/:id/${action}`,
        {
          config: write,
          schema: {
            tags,
            summary: isArchived ? 'Archive a product' : 'Restore a product',
            params: idParams,
            body: z.strictObject({}),
          },
        },
        async ({ staff, params }, reply) => {
          const product = await archiveProduct(db, staff, params.id, isArchived, now())
          return product ? { product } : reply.fail(404, 'error.not-found')
        },
      )
    }
  }
}

function bulkRoute({ db, now }: ProductsApiDeps): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      '/admin/products/bulk',
      {
        config: write,
        schema: {
          tags,
          summary:
            'Update several products. Without `previewHash` the response is a preview; with the `previewHash` of a preview it is applied',
          body: bulkBody,
        },
      },
      async ({ staff, body }, reply) => {
        const result = await changeSeveral(db, staff, body, now())
        if (result.ok) return { lines: result.lines, previewHash: result.previewHash, done: result.isDone }
        return reply.fail(409, 'products.bulk-stale', { lines: result.lines, previewHash: result.previewHash })
      },
    )
  }
}

function importRoute({ db, shopCache, now }: ProductsApiDeps): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      '/admin/products/import',
      {
        config: { ...write, timeoutMs: IMPORT_MS },
        // JSON escapes quotes and line breaks of the file.
        bodyLimit: 2 * MAX_CSV_BYTES,
        schema: {
          tags,
          summary:
            'Import products from CSV. Without `previewHash` the response is a preview; with the `previewHash` of a preview it is applied',
          body: importBody,
        },
      },
      async ({ staff, body, viewer }, reply) => {
        if (Buffer.byteLength(body.csv) > MAX_CSV_BYTES) return reply.fail(413, 'products.import-large')
        const today = dhakaDate(now())
        const days = { today, seasonStart: seasonStart((await shopCache.settings()).kurbani, today) }
        const result = await importProducts(db, staff, body.csv, body.previewHash ?? null, days)
        if (result.ok) return { ...inWords(result.plan, viewer.lang), done: result.isDone }
        switch (result.reason) {
          case 'stale':
            return reply.fail(409, 'products.import-stale', inWords(result.plan, viewer.lang))
          case 'errors':
            return reply.fail(422, 'products.import-fix', inWords(result.plan, viewer.lang))
          case 'broken':
            return reply.fail(422, 'error.invalid', { text: translate(viewer.lang)('products.import-broken', { line: result.line }) })
          case 'repeated':
            return reply.fail(422, 'error.invalid', { text: translate(viewer.lang)('products.import-repeated', { name: result.heading }) })
          default:
            return reply.fail(422, `products.import-${result.reason}`)
        }
      },
    )
  }
}

function stockRoute({ db }: ProductsApiDeps): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      '/admin/products/:id/stock',
      {
        config: { ...write, timeoutMs: COUNT_WAIT_MS },
        schema: { tags, summary: 'Record received or counted stock', params: idParams, body: stockBody },
      },
      async ({ staff, params, body, viewer }, reply) => {
        const counted = await countStock(db, staff, params.id, body)
        if (counted.ok) return { product: counted.product, movements: await listMovements(db, params.id) }
        if (counted.reason === 'missing') return reply.fail(404, 'error.not-found')
        if (counted.reason === 'entered-since') {
          const [product, movements] = [await findProductRecord(db, params.id), await listMovements(db, params.id)]
          return reply.fail(409, 'products.stock-entered-since', { product, movements })
        }
        const key = { animal: 'products.stock-animal', required: 'field.required', 'too-much': 'products.count-bad' } as const
        return invalid(reply, [['quantity', key[counted.reason]]], viewer.lang)
      },
    )
  }
}

function healthRoutes({ db, now }: ProductsApiDeps): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      '/admin/products/:id/health',
      { config: write, schema: { tags, summary: 'Add a health record of an animal', params: idParams, body: healthBody } },
      async (request, reply) => {
        const { staff, params, body, viewer } = request
        const added = await withIdempotencyKey(db, request, (tx) => addHealthRecord(tx, staff, params.id, body, dhakaDate(now())))
        if (added.ok) return { records: added.records }
        if (added.reason === 'missing') return reply.fail(404, 'error.not-found')
        const problem = added.reason === 'picture-gone' ? ['image_id', 'products.picture-gone'] : ['on_day', 'weigh.future']
        return invalid(reply, [problem as [string, string]], viewer.lang)
      },
    )

    app.delete(
      '/admin/products/:id/health/:record',
      {
        config: write,
        schema: { tags, summary: 'Delete a health record', params: idParams.extend({ record: idParams.shape.id }) },
      },
      async ({ staff, params }, reply) => {
        const records = await deleteHealthRecord(db, staff, params.id, params.record)
        return records ? { records } : reply.fail(404, 'error.not-found')
      },
    )
  }
}

/** Messages of fields whose page offers a picker: a file shows how the value is written. */
const IN_FILES: Record<string, MessageKey> = { 'field.day': 'products.import-day', 'products.month-bad': 'products.import-month' }

/** The plan with column names and messages in the reader's language. */
function inWords(plan: ImportPlan, lang: Lang) {
  const t = textByData(translate(lang))
  const column = (field: string) => CSV_COLUMNS.find(({ key }) => key === cellOf(field))?.[lang] ?? field
  const words = (choices: Choices) =>
    Object.values(choices)
      .map((choice) => choice[lang])
      .join(', ')
  return {
    ...plan,
    ignored: plan.ignored.map(column),
    lines: plan.lines.map(({ name, errors, changes, ...line }) => ({
      ...line,
      name: name[lang],
      changes: changes.map((change) => ({ ...change, field: column(change.field) })),
      errors: errors.map(({ field, key, values, choices }) => ({
        field: column(field),
        text: t(IN_FILES[key] ?? key, choices ? { options: words(choices) } : values),
      })),
    })),
  }
}

function refuse(reply: FastifyReply, written: Exclude<ProductWritten, { ok: true }>, lang: Lang) {
  if (written.reason === 'invalid') return invalid(reply, written.problems, lang)
  return written.reason === 'stale' ? reply.fail(409, 'admin.stale') : reply.fail(404, 'error.not-found')
}

function invalid(reply: FastifyReply, problems: FieldProblems, lang: Lang) {
  const t = textByKey(lang)
  const errors: Record<string, string[]> = {}
  for (const [field, key] of problems) (errors[field] ??= []).push(t(key as MessageKey))
  return reply.fail(422, 'error.invalid', { errors })
}
