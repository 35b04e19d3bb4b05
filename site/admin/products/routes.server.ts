import { readProductFilter } from '#features/catalog/products/list-query-rules.ts'
import { listMovements } from '#features/catalog/products/count-stock.server.ts'
import { listHealthRecords } from '#features/catalog/products/health-records.server.ts'
import { exportHead, exportProducts } from '#features/catalog/products/export-products.server.ts'
import { listAdminProducts } from '#features/catalog/products/product-list.server.ts'
import { templateLines } from '#features/catalog/products/template-lines.server.ts'
import { findProductRecord } from '#features/catalog/products/product-editor-queries.server.ts'
import { listSeasons, listWeighIns } from '#features/catalog/products/product-state.server.ts'
import { readId } from '#lib/format/id.ts'
import { parseCursor } from '#lib/db/keyset.ts'
import { countWaits } from '#features/product-waits/queries.server.ts'
import { seasonStart } from '#features/settings/season-rules.ts'
import { dhakaDate } from '#lib/format/time.ts'
import type { AdminContext, AdminRoute } from '../admin-route.server.ts'
import { adminHead } from '../admin-head.server.ts'
import type { ProductChoices } from './form-values.ts'

/** The categories to choose from, in the reader's language. */
async function categoryOptions({ shopCache, lang }: Pick<AdminContext, 'lang' | 'shopCache'>): Promise<ProductChoices['categories']> {
  const categories = await shopCache.categories()
  return categories.map((one) => ({
    id: one.id,
    key: one.key,
    name: lang === 'bn' ? one.name_bn : one.name_en,
    isCattle: one.delivery_group === 'cattle',
  }))
}

/** What the form of a product chooses from. */
export async function productChoices(context: Pick<AdminContext, 'db' | 'lang' | 'now' | 'shopCache'>): Promise<ProductChoices> {
  const { scale_labels: scales, advance_amount: advance, kurbani } = await context.shopCache.settings()
  const [categories, seasons] = await Promise.all([categoryOptions(context), listSeasons(context.db)])
  const season = seasons.includes(kurbani.season) ? kurbani.season : ''
  const today = dhakaDate(context.now)
  return { categories, seasons, season, scales, advance, today, seasonStart: seasonStart(kurbani, today) }
}

export const productsRoutes: AdminRoute[] = [
  {
    url: '/admin/products',
    page: 'admin/products/products',
    permission: 'catalog.read',
    screen: 'products',
    async load(context) {
      const { db, shopCache, lang, query } = context
      // Filters that were saved under the parameter's earlier name.
      if (query.shelf !== undefined) return { redirect: context.path.replace(/([?&])shelf=/, '$1visibility=') }
      const filter = readProductFilter(query)
      const [categories, settings] = await Promise.all([categoryOptions(context), shopCache.settings()])
      const list = await listAdminProducts(db, filter, parseCursor(query, 1), settings.low_stock, lang)
      const sort = { by: filter.sort, order: filter.order }
      return {
        props: { list, sort, query, categories, low: settings.low_stock },
        head: adminHead(lang, { key: 'admin.nav.products' }),
      }
    },
  },
  {
    url: '/admin/products/create',
    page: 'admin/products/product-create',
    permission: 'catalog.write',
    async load(context) {
      return { props: await productChoices(context), head: adminHead(context.lang, { key: 'products.new' }) }
    },
  },
  {
    url: '/admin/products/import',
    page: 'admin/products/product-import',
    permission: 'catalog.write',
    async load({ lang }) {
      return { props: {}, head: adminHead(lang, { key: 'products.import-title' }) }
    },
  },
  {
    url: '/admin/products/export',
    page: 'admin/products/products',
    permission: 'catalog.read',
    readsReplica: true,
    async load({ db, shopCache, lang, query, now }) {
      const head = exportHead(lang)
      if (query.template === '1') {
        const rows = templateLines(await shopCache.categories(), lang, dhakaDate(now))
        return { csv: { filename: 'products-template.csv', head, rows } }
      }
      const { low_stock } = await shopCache.settings()
      const rows = exportProducts(db, readProductFilter(query), low_stock, lang)
      return { csv: { filename: `products-${dhakaDate(now)}.csv`, head, rows } }
    },
  },
  {
    url: '/admin/products/:id',
    page: 'admin/products/product',
    permission: 'catalog.read',
    async load(context) {
      const { db, lang, params } = context
      const id = readId(params.id)
      const product = id === null ? null : await findProductRecord(db, id)
      if (!product) return { refuse: 404 }
      const isAnimal = product.kind === 'animal'
      const [options, movements, weighIns, health, waiting] = await Promise.all([
        productChoices(context),
        isAnimal ? [] : listMovements(db, product.id),
        isAnimal ? listWeighIns(db, product.id) : [],
        isAnimal ? listHealthRecords(db, product.id) : [],
        countWaits(db, product.id),
      ])
      return {
        props: { product, movements, weighIns, health, waiting, ...options },
        head: adminHead(lang, lang === 'bn' ? product.name_bn : product.name_en),
      }
    },
  },
]
