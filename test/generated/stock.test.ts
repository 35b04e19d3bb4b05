import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { countStock, expectInvariants } from '#test/invariants.ts'
import { expectLedger } from '#test/ledger-checks.ts'
import { openShop } from '#test/request.ts'
import { storeBody } from '#features/orders/testing/admin-shop.ts'
import type { CatalogRow } from '#features/pos/device-catalog.ts'
import { stepsOf, weighted } from './dice.ts'
import { runSteps } from './run-steps.ts'
import { COUNTER_STEPS } from './stock-counter.ts'
import { FARM_STEPS } from './stock-farm.ts'
import { ORDER_STEPS } from './stock-orders.ts'
import { openStockShop } from './stock-shop.ts'

// Generated steps that move stock by every channel, some of them two at once. After each of them the stock is that of its movements, an animal
// has one live order, a rejected step has changed nothing, and shop and POS show the same.

const STEPS = { ...ORDER_STEPS, ...COUNTER_STEPS, ...FARM_STEPS }
/** The relative frequency of each step. */
const WEIGHTS: Record<keyof typeof STEPS, number> = {
  webOrder: 10,
  expire: 3,
  phoneOrder: 6,
  edit: 12,
  move: 18,
  pay: 5,
  changeOwn: 5,
  moveAll: 1,
  sell: 8,
  sellLate: 4,
  takeBack: 6,
  returnInAdmin: 5,
  exchange: 5,
  takeBackWithoutReceipt: 3,
  count: 9,
  takeStock: 10,
  weigh: 4,
  settle: 4,
  offer: 5,
  release: 5,
}
const STEP_NAMES = weighted(WEIGHTS)

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const world = await openStockShop(db, shop)
const before = await countStock(db)
before.delete(world.seldomCounted)

afterAll(async () => {
  expect(shop.failures).toEqual([])
  await expectLedger(db, before)
})

/** The position of the status in a row of the POS catalog. */
const STATUS = 6
const device = new Map<number, CatalogRow>()
let since: string | undefined

async function syncDevice(): Promise<void> {
  const answer = await world.manager.get(`/api/admin/quick-orders/catalog${since ? `?since=${since}` : ''}`)
  const part = answer.body as unknown as { full: boolean; since: string; rows: CatalogRow[]; gone: number[] }
  for (const row of part.rows) device.set(row[0], row)
  for (const id of part.gone) device.delete(id)
  since = part.since
}

/** The status that shop, POS device and database have of each product. The device reads a count again before it relies on it. */
async function expectSameOffer(): Promise<void> {
  await syncDevice()
  const { rows } = await sql<{
    id: number
    visible: boolean
    status: string
  }>`select id, visible, status from products order by id`.execute(db)
  const shown = []
  for (const { id } of rows) {
    const page = await shop.get(`/api/products/${id}`)
    shown.push([id, device.get(id)?.[STATUS] ?? 404, page.status === 200 ? (page.body as { status?: string }).status : page.status])
  }
  expect(shown).toEqual(rows.map(({ id, visible, status }) => (visible ? [id, status, status] : [id, 404, 404])))
}

it('stock of every channel is that of its movements, and no animal is held twice', { timeout: 600_000 }, async () => {
  await runSteps({
    db,
    clock: shop.clock,
    count: stepsOf(70),
    names: STEP_NAMES,
    take: (name, dice) => STEPS[name](world, dice),
    refusals: [303, 400, 404, 409, 410, 422],
    silent: ['expire', 'moveAll'],
    check: async (at) => {
      await expectInvariants(db, before)
      if (at % 6 === 0) await expectSameOffer()
    },
  })
})

it('what is free can be ordered, and nothing else', async () => {
  const { rows } = await sql<{ id: number; is_free: boolean }>`
    select p.id, p.visible and p.status in ('in-stock', 'pre-book') as is_free from products p where is_unique order by id`.execute(db)
  for (const { id, is_free } of rows) {
    const answer = await world.manager.post('/admin/orders/store', storeBody(world.area, [[id, 1]]))
    expect([id, answer.status === 200], answer.text).toEqual([id, is_free])
  }
})
