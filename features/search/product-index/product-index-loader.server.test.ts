import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { inTransaction } from '#lib/db/db.server.ts'
import { testDb } from '#test/db.ts'
import { buildProduct } from '#test/factories.ts'
import { MAX_PRICE_TAKA } from '#features/catalog/limits.ts'
import { ProductIndexLoader } from './product-index-loader.server.ts'

const { db, reset } = await testDb()
/** The revision that the process observes; null while it cannot observe changes. */
let revision: number | null = null
beforeEach(async () => {
  await sql`truncate products cascade`.execute(db)
  revision = null
})

const ALL = { categoryId: null, sort: null, low: 0, high: MAX_PRICE_TAKA * 100, rank: null, words: [], from: 0, limit: 100 }
const index = new ProductIndexLoader(db, () => revision)
const ids = async (queries: Partial<typeof ALL> | { sort: 'asc' | 'desc' } = {}) => (await index.current()).list({ ...ALL, ...queries }).ids
const change = (id: number, what: object) => db.updateTable('products').set(what).where('id', '=', id).execute()

/** The database with a hook before each query. */
const before = (work: () => void) =>
  db.withPlugin({
    transformQuery: ({ node }) => (work(), node),
    transformResult: ({ result }) => Promise.resolve(result),
  })

describe('the product index of a process', () => {
  it('contains every kind of change', async () => {
    const [mango, honey] = [await buildProduct(db, { price_poisha: 200 }), await buildProduct(db, { price_poisha: 300 })]
    expect(await ids()).toEqual([mango.id, honey.id])
    const third = await buildProduct(db, { price_poisha: 100, name_en: 'Himsagar' })
    expect(await ids({ sort: 'asc' })).toEqual([third.id, mango.id, honey.id])
    await change(mango.id, { status: 'sold' })
    expect(await ids()).toEqual([honey.id, third.id, mango.id])
    await change(honey.id, { visible: false })
    expect(await ids()).toEqual([third.id, mango.id])
    await change(honey.id, { visible: true, name_en: 'Mustard honey' })
    expect((await index.current()).search('mustard', 9)).toEqual([honey.id])
    await change(third.id, { search_aliases: 'khirsapat' })
    expect((await index.current()).search('khirsapat', 9)).toEqual([third.id])
    expect((await index.current()).search('himsagar', 9)).toEqual([third.id])
    await db.deleteFrom('products').where('id', '=', third.id).execute()
    expect(await ids()).toEqual([honey.id, mango.id])
  })

  it('sorts and filters by the price after discount, in whole taka', async () => {
    const build = (price_poisha: number, discount_kind: string | null = null, discount_value: number | null = null) =>
      buildProduct(db, { price_poisha, discount_kind, discount_value })
    const whole = await build(100_000)
    const half = await build(190_000, 'percentage', 5000) // 950 taka
    const rounded = await build(100_050, 'fixed', 100) // 999.5, shown as 1,000
    const nothing = await build(500_000, 'percentage', 10_000)
    const none = await build(96_000, 'fixed', 0)
    expect(await ids({ sort: 'asc' })).toEqual([nothing.id, half.id, none.id, whole.id, rounded.id])
    expect(await ids({ sort: 'desc' })).toEqual([whole.id, rounded.id, none.id, half.id, nothing.id])
    expect(await ids({ low: 100_000, high: 100_000 })).toEqual([whole.id, rounded.id])
    expect(await ids({ low: 1, high: 95_000 })).toEqual([half.id])
    await change(half.id, { discount_kind: null, discount_value: null })
    expect(await ids({ sort: 'desc' })).toEqual([half.id, whole.id, rounded.id, none.id, nothing.id])
  })

  it('misses no change of a long transaction', async () => {
    const [early, late] = [await buildProduct(db), await buildProduct(db)]
    expect(await ids()).toHaveLength(2)
    await inTransaction(db, async (tx) => {
      await tx.updateTable('products').set({ status: 'hold' }).where('id', '=', early.id).execute()
      await change(late.id, { status: 'sold' })
      expect(await ids({ rank: 0 } as object)).toEqual([early.id])
    })
    expect(await ids({ rank: 2 } as object)).toEqual([early.id])
    expect(await ids({ rank: 4 } as object)).toEqual([late.id])
  })

  it('queries once for concurrent requests, and only after a change', async () => {
    await buildProduct(db)
    revision = 1
    await ids()
    let queries = 0
    const counting = new ProductIndexLoader(
      before(() => void queries++),
      () => revision,
    )
    const current = () => Promise.all(Array.from({ length: 20 }, () => counting.current()))
    await current()
    const first = queries
    await current()
    expect(queries).toBe(first)
    revision = 2
    await current()
    expect(queries).toBe(first + 1)
    const product = await buildProduct(db)
    revision = 3
    expect((await counting.current()).list(ALL).ids).toContain(product.id)
  })

  it('reads only the changes of a shop that was restored from a database with many more transactions', async () => {
    const [mango, honey] = [await buildProduct(db), await buildProduct(db)]
    await sql`update products set changed_xid = '9000000000000'`.execute(db)
    const read: number[] = []
    const counted = db.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: ({ result }) => (read.push(result.rows.length), Promise.resolve(result)),
    })
    const restored = new ProductIndexLoader(counted, () => revision)
    expect((await restored.current()).list(ALL).ids).toEqual([mango.id, honey.id])
    await change(mango.id, { status: 'sold' })
    read.length = 0
    expect((await restored.current()).list(ALL).ids).toEqual([honey.id, mango.id])
    expect(read).toEqual([1])
  })

  it('reads everything again after very many changes, and after the database was replaced', async () => {
    await sql`insert into products (category_id, name_en, name_bn, price_poisha, status)
      select (select min(id) from categories), 'Mango ' || n, 'আম', n * 100, 'in-stock' from generate_series(1, 4500) n`.execute(db)
    expect((await index.current()).list(ALL).total).toBe(4500)
    await sql`update products set price_poisha = price_poisha + 100`.execute(db)
    expect((await index.current()).list({ ...ALL, sort: 'asc', low: 200, high: 300 }).total).toBe(2)
    await reset()
    expect((await index.current()).list(ALL).total).toBe(0)
  })

  it('throws while the database is away, and works when it is back', async () => {
    const product = await buildProduct(db)
    let isAway = true
    const reached = () => {
      if (isAway) throw new Error('away')
    }
    const loader = new ProductIndexLoader(before(reached), () => null)
    await expect(loader.current()).rejects.toThrow('away')
    isAway = false
    expect((await loader.current()).list(ALL).ids).toEqual([product.id])
  })
})
