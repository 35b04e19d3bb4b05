import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { MAX_PRICE_TAKA } from '#features/catalog/limits.ts'
import { dropEmptyQuery, priceField, wholeNumberField } from '#features/catalog/query-fields.ts'
import { PRODUCT_STATUSES } from '#features/catalog/rules.ts'
import { COAT_KEYS, SEX_KEYS } from '#features/catalog/trait-keys.ts'
import type { ShopCache } from '#features/catalog/shop-cache.server.ts'
import { textField } from '#lib/form-fields.ts'
import type { Db } from '#lib/db/db.server.ts'
import { translate } from '#lib/i18n/translate.ts'
import { type ListingFilter, listProducts } from './list-products.server.ts'
import type { ProductSearch } from './product-search.server.ts'

const listingFields = {
  minPrice: priceField.default(0),
  maxPrice: priceField.default(MAX_PRICE_TAKA),
  sort: z.enum(['asc', 'desc']).optional(),
  page: wholeNumberField(1, 1_000_000).default(1),
  status: z.enum(['all', ...PRODUCT_STATUSES]).optional(),
  search: textField(100).optional(),
  breed: textField(100).optional(),
  sex: z.enum(SEX_KEYS).optional(),
  teeth: wholeNumberField(0, 8).optional(),
  coat: z.enum(COAT_KEYS).optional(),
  lang: z.string().optional(),
}

const isPriceRange = (query: { minPrice: number; maxPrice: number }) => !(query.minPrice > query.maxPrice)
const priceOrder = { path: ['minPrice'], message: 'field.price-order' }

const listingQuery = z.object({ category_name: z.string().max(100).optional(), ...listingFields }).refine(isPriceRange, priceOrder)

const kurbaniQuery = z
  .object({
    ...listingFields,
    category: z.string().max(100).optional(),
    limit: wholeNumberField(1, 100).optional(),
  })
  .refine(isPriceRange, priceOrder)

function filterOf(query: z.infer<typeof listingQuery>, categoryId: number | null): ListingFilter {
  const { minPrice, maxPrice, sort, page, status, search, breed, sex, teeth, coat } = query
  return {
    categoryId,
    minPrice,
    maxPrice,
    sort: sort ?? null,
    page,
    status: status === 'all' ? null : (status ?? null),
    search,
    traits: { breed: breed || undefined, sex, teeth, coat },
  }
}

export interface SearchDeps {
  db: Db
  shopCache: Pick<ShopCache, 'categories'>
  search: ProductSearch
}

/**
 * Finds a category by key, English name or slug, in any case, or by id. The key wins: another category can take a renamed one's name, so the
 * page of an own category uses the id. Null for the home listing, which has all products; undefined for an unknown one.
 */
async function findCategoryId(shopCache: SearchDeps['shopCache'], name: string | undefined): Promise<number | null | undefined> {
  if (!name) return null
  const lower = name.toLowerCase()
  const categories = await shopCache.categories()
  const found =
    categories.find(({ key }) => key === lower) ??
    categories.find(({ name_en }) => name_en.toLowerCase() === lower) ??
    categories.find(({ slug }) => slug === lower.replaceAll(' ', '-')) ??
    categories.find(({ id }) => String(id) === name)
  return found?.key === 'home' ? null : found?.id
}

const unknownCategoryText = (request: FastifyRequest) => translate(request.viewer.lang)('field.category')

/** The public product lists and the search box. */
export function searchApi(deps: SearchDeps): FastifyPluginAsyncZod {
  return async (app) => {
    app.addHook('preValidation', async (request) => dropEmptyQuery(request))
    await app.register(listingRoutes(deps))
    await app.register(searchRoute(deps))
  }
}

function listingRoutes(deps: SearchDeps): FastifyPluginAsyncZod {
  const config = { cache: 'public' } as const
  return async (app) => {
    app.get(
      '/api/products',
      { config, schema: { tags: ['catalog'], summary: 'One page of products', querystring: listingQuery } },
      async (request, reply) => {
        const categoryId = await findCategoryId(deps.shopCache, request.query.category_name)
        if (categoryId === undefined) return reply.fail(422, 'error.invalid', { errors: { category_name: [unknownCategoryText(request)] } })
        return listProducts(deps, filterOf(request.query, categoryId), request.viewer.lang)
      },
    )

    app.get(
      '/api/kurbani-cows',
      { config, schema: { tags: ['catalog'], summary: 'One page of Kurbani cows', querystring: kurbaniQuery } },
      async (request, reply) => {
        const named = await findCategoryId(deps.shopCache, request.query.category)
        const categoryId = named === null ? await findCategoryId(deps.shopCache, 'kurbani') : named
        if (categoryId === undefined) return reply.fail(422, 'error.invalid', { errors: { category: [unknownCategoryText(request)] } })
        const filter = { ...filterOf(request.query, categoryId), limit: request.query.limit }
        return listProducts(deps, filter, request.viewer.lang)
      },
    )
  }
}

function searchRoute({ search }: SearchDeps): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      '/api/product/search',
      {
        schema: {
          tags: ['catalog'],
          summary: 'Products by name, tag or barcode',
          querystring: z.object({ q: z.string().default(''), lang: z.string().optional() }),
        },
      },
      async (request, reply) =>
        reply.type('application/json; charset=utf-8').send(await search.search(request.query.q, request.viewer.lang)),
    )

    app.get(
      '/api/product/suggestions',
      {
        schema: {
          tags: ['catalog'],
          summary: 'The first products for a text that is being typed',
          querystring: z.object({ q: z.string().default(''), lang: z.string().optional() }),
        },
      },
      (request) => search.suggest(request.query.q, request.viewer.lang),
    )
  }
}
