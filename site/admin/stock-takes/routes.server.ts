import { findTake, listRows, listTakes, rowKeys, summarize, type TakeRow } from '#features/stock-takes/queries.server.ts'
import { TAKE_LISTS } from '#features/stock-takes/rules.ts'
import { parseCursor, readPages } from '#lib/db/keyset.ts'
import { poisha, poishaToTaka } from '#lib/format/money.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { searchTerm } from '#lib/format/search-term.ts'
import { type Translate, translate } from '#lib/i18n/translate.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import type { AdminContext, AdminRoute } from '../admin-route.server.ts'
import { adminHead } from '../admin-head.server.ts'
import { csvInstant, exportList } from '../list-export.server.ts'
import { readShortId } from '#lib/format/id.ts'
import { reasonKey } from './reason-key.ts'

const permission = ['catalog.write', 'reports.read'] as const
/** Rows of each part of the print view. */
const MAX_PRINTED_ROWS = 1000

/** Stock takes: the list, a sheet, its CSV file and its print view. */
export const stockTakesRoutes: AdminRoute[] = [
  {
    url: '/admin/stock-takes',
    page: 'admin/stock-takes/stock-takes',
    permission,
    async load({ db, lang, query, shopCache }) {
      const categories = (await shopCache.categories()).map((one) => ({ id: one.id, name: lang === 'bn' ? one.name_bn : one.name_en }))
      return {
        props: { takes: await listTakes(db, parseCursor(query, 1)), categories },
        head: adminHead(lang, { key: 'admin.nav.stock-takes' }),
      }
    },
  },
  {
    url: '/admin/stock-takes/:id',
    page: 'admin/stock-takes/stock-take',
    permission,
    async load(context) {
      const take = await takeOf(context)
      if (!take) return { refuse: 404 }
      const { db, lang, query, shopCache } = context
      const list = TAKE_LISTS.find((one) => one === query.list) ?? 'counted'
      const [rows, summary, { scale_labels: scales }] = await Promise.all([
        listRows(db, take.id, { list, search: searchTerm(query.q ?? '') }, parseCursor(query, rowKeys(list))),
        summarize(db, take.id),
        shopCache.settings(),
      ])
      return { props: { take, list, rows, summary, scales, query }, head: adminHead(lang, titleOf(lang, take.id)) }
    },
  },
  {
    url: '/admin/stock-takes/:id/export',
    page: 'admin/stock-takes/stock-take',
    permission,
    async load(context) {
      const take = await takeOf(context)
      if (!take) return { refuse: 404 }
      const t = translate(context.lang)
      return exportList(context, {
        subject: 'stock-take',
        name: `stock-take-${take.id}`,
        head: COLUMNS.map((key) => t(key)),
        pages: readPages({ backward: false, from: null, size: 0 }, (view) =>
          listRows(context.db, take.id, { list: 'counted', size: view.size, readsOrders: false }, view),
        ),
        line: (row) => csvLine(row, t),
      })
    },
  },
  {
    url: '/admin/stock-takes/:id/print',
    page: 'admin/print/stock-take',
    permission,
    async load(context) {
      const take = await takeOf(context)
      if (!take) return { refuse: 404 }
      const { db, lang, query } = context
      const all = { backward: false, from: null }
      const [counted, open, summary] = await Promise.all([
        listRows(db, take.id, { list: 'counted', size: MAX_PRINTED_ROWS }, all),
        take.state === 'open' ? listRows(db, take.id, { list: 'open', size: MAX_PRINTED_ROWS }, all) : { rows: [] },
        summarize(db, take.id),
      ])
      const props = { take, counted: counted.rows, open: open.rows, summary, printsImmediately: query.print === '1' }
      return { props, head: adminHead(lang, titleOf(lang, take.id)) }
    },
  },
]

async function takeOf({ db, params }: AdminContext) {
  const id = readShortId(params.id)
  return id === null ? null : findTake(db, id)
}

const titleOf = (lang: Lang, id: number) => translate(lang)('stock-take.title', { id: localizeDigits(lang, String(id)) })

/** The headings of the file. */
const COLUMNS = [
  'stock-take.product',
  'products.name-en',
  'products.name-bn',
  'products.tag',
  'products.barcode',
  'products.unit',
  'stock-take.expected',
  'stock-take.counted',
  'stock-take.difference',
  'stock-take.reason',
  'products.price',
  'stock-take.by',
  'stock-take.at',
] as const

function csvLine({ line, ...product }: TakeRow, t: Translate) {
  const { id, name_en, name_bn, tag_number, barcode, unit } = product
  const about = [id, name_en, name_bn, tag_number, barcode, t(`stock-take.unit.${unit}`)]
  if (!line) return about
  const { expected_milli: expected, counted_milli: counted, reason, by, at } = line
  const why = counted === expected ? '' : t(reasonKey(reason, product.is_unique))
  const price = poishaToTaka(poisha(product.price_poisha))
  return [...about, expected / 1000, counted / 1000, (counted - expected) / 1000, why, price, by, csvInstant(at)]
}
