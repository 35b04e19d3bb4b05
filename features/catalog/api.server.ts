import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Db } from '#lib/db/db.server.ts'
import { translate } from '#lib/i18n/translate.ts'
import { MAX_PRICE_TAKA } from './limits.ts'
import { PRODUCT_STATUSES } from './rules.ts'
import { findProduct, listAreas, listProducts, listStatuses } from './queries.server.ts'
import { searchProducts } from '../search/queries.server.ts'
import type { ShopCache } from './shop-cache.server.ts'

const DATABASE_ID_LIMIT = Number.MAX_SAFE_INTEGER

/** Query texts to numbers, strictly: "12abc", "1e9" and repeated keys are refused. */
const wholeNumber = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d{1,16}$/, 'field.whole')
    .transform(Number)
    .refine((n) => n >= least && n <= most, 'field.whole')
const price = z
  .string()
  .regex(/^\d{1,9}(\.\d{1,2})?$/, 'field.taka')
  .transform(Number)
  .refine((n) => n <= MAX_PRICE_TAKA, 'field.taka')

const listingQuery = z
  .object({
    category_name: z.string().max(100).optional(),
    minPrice: price.default(0),
    maxPrice: price.default(MAX_PRICE_TAKA),
    sort: z.enum(['asc', 'desc']).optional(),
    page: wholeNumber(1, 1_000_000).default(1),
    lang: z.string().optional(),
  })
  .refine((query) => !(query.minPrice > query.maxPrice), { path: ['minPrice'], message: 'field.price-order' })

const kurbaniQuery = z
  .object({
    sort: z.enum(['asc', 'desc']).optional(),
    page: wholeNumber(1, 1_000_000).default(1),
    minPrice: price.default(0),
    maxPrice: price.default(MAX_PRICE_TAKA),
    status: z.enum(['all', ...PRODUCT_STATUSES]).optional(),
    category: z.string().max(100).optional(),
    search: z.string().max(100).optional(),
    limit: wholeNumber(1, 100).optional(),
    lang: z.string().optional(),
  })
  .refine((query) => !(query.minPrice > query.maxPrice), { path: ['minPrice'], message: 'field.price-order' })

const MAX_STATUS_IDS = 200
const idList = z
  .string()
  .max(4000, 'field.product-ids')
  .regex(/^(\d{1,15}(,\d{1,15})*)?$/, 'field.product-ids')
  .transform((text) => [...new Set(text.split(',').filter(Boolean).map(Number))].sort((a, b) => a - b))
  .refine((ids) => ids.length <= MAX_STATUS_IDS, 'field.product-ids')

/** Finds a category by its key, English name or short name, in any case. The key wins: another category can take a renamed one's name. */
async function categoryId(facts: ShopCache, name: string | undefined): Promise<number | null | undefined> {
  if (!name) return null
  const wanted = name.toLowerCase()
  const categories = await facts.categories()
  const found =
    categories.find(({ key }) => key === wanted) ??
    categories.find(({ name_en }) => name_en.toLowerCase() === wanted) ??
    categories.find(({ slug }) => slug === wanted.replaceAll(' ', '-'))
  return found?.id
}

const noSuchCategory = (request: FastifyRequest) => translate(request.viewer.lang)('field.category')

/** `?minPrice=&sort=`, as an untouched form sends it, asks for nothing: an empty value is none. */
function forgetEmpty(request: FastifyRequest): void {
  const query = request.query as Record<string, unknown>
  for (const name of Object.keys(query)) if (query[name] === '') delete query[name]
}

/** The public calls about products: lists, one product, search, status refresh, areas. */
export function catalogApi(deps: { db: Db; facts: ShopCache }): FastifyPluginAsyncZod {
  const { db, facts } = deps
  const cached = { config: { cache: 'public' } } as const
  return async (app) => {
    app.addHook('preValidation', async (request) => forgetEmpty(request))

    app.get(
      '/api/products',
      { ...cached, schema: { tags: ['catalog'], summary: 'One page of products', querystring: listingQuery } },
      async (request, reply) => {
        const { category_name, minPrice, maxPrice, sort, page } = request.query
        const category = await categoryId(facts, category_name)
        if (category === undefined) return reply.refuse(422, 'error.invalid', { errors: { category_name: [noSuchCategory(request)] } })
        return listProducts(deps, { categoryId: category, minPrice, maxPrice, sort: sort ?? null, page }, request.viewer.lang)
      },
    )

    app.get(
      '/api/kurbani-cows',
      { ...cached, schema: { tags: ['catalog'], summary: 'One page of Kurbani cows', querystring: kurbaniQuery } },
      async (request, reply) => {
        const { sort, page, minPrice, maxPrice, search, limit } = request.query
        const category = await categoryId(facts, request.query.category || 'kurbani')
        if (category === undefined) return reply.refuse(422, 'error.invalid', { errors: { category: [noSuchCategory(request)] } })
        const wanted = request.query.status === 'all' ? null : (request.query.status ?? null)
        return listProducts(
          deps,
          { categoryId: category, minPrice, maxPrice, sort: sort ?? null, page, status: wanted, search, limit },
          request.viewer.lang,
        )
      },
    )

    app.get(
      '/api/product-status-update',
      {
        ...cached,
        schema: {
          tags: ['catalog'],
          summary: 'Current status, price, note and date',
          querystring: z.object({
            productIds: idList.default([]),
            status: z.enum(PRODUCT_STATUSES).optional(),
            lang: z.string().optional(),
          }),
        },
      },
      async (request) => ({
        products: await listStatuses(db, request.query.productIds, request.query.status ?? null, request.viewer.lang),
      }),
    )

    app.get(
      '/api/products/:id',
      { ...cached, schema: { tags: ['catalog'], summary: 'One product', params: z.object({ id: z.string().max(40) }) } },
      async (request, reply) => {
        const id = /^\d{1,15}$/.test(request.params.id) ? Number(request.params.id) : 0
        const product = id > 0 && id < DATABASE_ID_LIMIT ? await findProduct(db, id, request.viewer.lang) : null
        return product ?? reply.refuse(404, 'error.not-found')
      },
    )

    app.get(
      '/api/product/search',
      {
        config: { rateLimit: { max: 300, timeWindow: '1 minute' } },
        schema: {
          tags: ['catalog'],
          summary: 'Products by name, tag or barcode',
          querystring: z.object({ q: z.string().default(''), lang: z.string().optional() }),
        },
      },
      async (request, reply) =>
        reply.type('application/json; charset=utf-8').send(await searchProducts(facts, request.query.q, request.viewer.lang)),
    )

    app.get(
      '/api/areas',
      {
        ...cached,
        schema: {
          tags: ['catalog'],
          summary: 'Where the farm delivers',
          querystring: z.object({ active: z.enum(['true', 'false']).optional(), lang: z.string().optional() }),
        },
      },
      async (request) => listAreas(db, request.query.active !== 'false', request.viewer.lang),
    )
  }
}
