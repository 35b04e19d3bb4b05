import { sql } from 'kysely'
import { readRates } from '#features/cattle/rates/queries.server.ts'
import { findProductRecord } from '#features/catalog/products/product-editor-queries.server.ts'
import { storeBody } from '#features/orders/testing/admin-shop.ts'
import { ORDER_STATUSES } from '#features/orders/rules.ts'
import type { AnswerBody } from '#test/visitor.ts'
import { addAnimal, chance, newKey, pick, random, somePhone, someLines, someOrder, recordAnswer, type World } from './world.ts'

// Actions of the admin, mostly on orders that other actors change concurrently.

const DAYS = ['2090-06-06', '2090-06-07', '2090-06-08']
const clerk = (world: World) => pick(pick(world.managers).at)
const lines = (world: World) =>
  someLines(world).map(([product_id, quantity]) => ({ product_id, quantity, base_price: 0, price_on_order: '' }))

export async function takePhoneOrder(world: World): Promise<void> {
  const status = pick(['placed', 'placed', 'processing', 'on_delivery', 'cancelled'])
  const body = storeBody(world.area, someLines(world), { phone: somePhone(), status, reason: status === 'cancelled' ? 'No answer' : '' })
  const key = newKey()
  const manager = pick(world.managers)
  const sent = manager.at.map((visitor) => visitor.post('/admin/orders/store', body, { headers: { 'idempotency-key': key } }))
  const answers = await Promise.all(chance(30) ? sent : sent.slice(0, 1))
  await Promise.all(sent)
  for (const answer of answers) recordAnswer(world, 'create an order', answer, [200, 410, 422])
}

export async function editOrder(world: World): Promise<void> {
  const order = await someOrder(world)
  if (!order) return
  const change = pick([
    { products: lines(world) },
    { products: lines(world), shipping_cost: random(200), discount: random(40) },
    { remarks: `call at ${random(24)}`, list_on: pick(DAYS) },
    { discount: random(60) },
    { status: pick(ORDER_STATUSES), reason: 'They said so', products: lines(world) },
  ])
  const version = chance(60) ? { version: order.version } : {}
  const answer = await clerk(world).post(`/admin/orders/update/${order.id}`, { address: 'House 5', ...version, ...change })
  recordAnswer(world, 'edit an order', answer, [200, 409, 410, 422])
}

export async function moveOrders(world: World): Promise<void> {
  const picked = [await someOrder(world), await someOrder(world)].filter((one) => one !== null)
  if (picked.length === 0) return
  const orders = picked.map(({ id, version }) => ({ id, version }))
  const body = { orders, status: pick(ORDER_STATUSES), reason: 'They said so' }
  recordAnswer(world, 'move orders on', await clerk(world).post('/admin/orders/status', body), [200])
}

/** Two clerks record the same payment or refund: it counts once. */
export async function recordMoney(world: World): Promise<void> {
  const path = chance(60) ? 'payments' : 'refunds'
  const order = await someOrder(world, path === 'refunds' ? sql`ledger_balance_poisha > 0` : sql`true`)
  if (!order) return
  const method = pick(['cash', 'bkash', 'bank'])
  const body = {
    method,
    amount: 1 + random(4000),
    transaction_id: method === 'cash' ? '' : `DESK${1000 + random(500)}`,
    version: order.version,
  }
  const answers = await Promise.all(world.managers.map(({ at }) => at[random(2)]!.post(`/admin/orders/${path}/${order.id}`, body)))
  for (const answer of answers) recordAnswer(world, `record ${path}`, answer, [200, 409, 422])
  if (answers.filter(({ status }) => status === 200).length > 1)
    world.problems.push(`order ${order.id}: one of its ${path} was recorded twice`)
}

export async function decideAdvance(world: World): Promise<void> {
  const { rows } = await sql<{ id: number }>`select id from advance_reports order by (state = 'waiting') desc, id desc limit 4`.execute(
    world.db,
  )
  const claim = pick(rows)
  if (!claim) return
  const verify = world.managers.map(({ at }) =>
    chance(75)
      ? at[0].post(`/admin/advances/verify/${claim.id}`, {})
      : at[1].post(`/admin/advances/refuse/${claim.id}`, { reason: 'Not there' }),
  )
  const answers = await Promise.all(verify)
  for (const answer of answers) recordAnswer(world, 'decide an advance', answer, [200, 409])
  if (answers.filter(({ status }) => status === 200).length > 1) world.problems.push(`advance ${claim.id} was decided twice`)
}

export async function clearAttention(world: World): Promise<void> {
  const order = await someOrder(world, sql`needs_attention is not null`)
  if (order)
    recordAnswer(world, 'clear the attention of an order', await clerk(world).post(`/admin/orders/attention/${order.id}`, {}), [200, 404])
  recordAnswer(world, 'announce deliveries', await clerk(world).post('/admin/orders/remind-tomorrow', {}), [200, 409, 422])
}

export async function weigh(world: World): Promise<void> {
  const body = { weight_kg: 180 + random(60), weighed_on: '2026-11-20', method: 'scale', weighed_by: 'Karim', confirmed: true }
  recordAnswer(world, 'weigh', await clerk(world).post(`/admin/animals/${pick(world.animals.slice(-8))}/weigh-ins`, body), [200, 422])
}

export async function settle(world: World): Promise<void> {
  const { rows } = await sql<{ id: number; animal: number }>`select order_id as id, product_id as animal from animal_holds
    where exists (select 1 from weigh_ins w where w.product_id = animal_holds.product_id) limit 8`.execute(world.db)
  const one = pick(rows)
  if (!one) return
  const answers = await Promise.all(world.managers.map(({ at }) => at[0].post(`/admin/orders/${one.id}/settle`, { animal_id: one.animal })))
  for (const answer of answers) recordAnswer(world, 'settle', answer, [200, 409, 422])
}

/** Saves the form of a product with another delivery date, note or status. */
export async function saveProduct(world: World): Promise<void> {
  const id = pick([...world.animals.slice(-6), ...world.products.map((one) => one.id)])
  const { id: _id, kind: _kind, state: _state, pictures, ...form } = (await findProductRecord(world.db, id))!
  const change = pick([
    { delivery_on: pick(DAYS) },
    { delivery_on: pick(DAYS) },
    { note_en: `note ${random(9)}` },
    { status: pick(['in-stock', 'pre-book', 'hold']) },
  ])
  const body = { ...form, picture_ids: pictures.map((one) => one.image_id), ...change }
  recordAnswer(world, 'save a product', await clerk(world).post(`/admin/products/${id}`, body), [200, 409, 422])
}

async function previewAndApply(world: World, path: string, body: object, what: string, allowed: readonly number[]): Promise<void> {
  const visitor = clerk(world)
  const first = recordAnswer(world, `${what}: preview`, await visitor.post(path, body), allowed)
  const { previewHash } = first.body as AnswerBody & { previewHash?: string }
  if (first.status === 200)
    recordAnswer(
      world,
      what,
      await visitor.post(path.replace('preview', 'apply'), { ...body, ...(previewHash ? { previewHash } : {}) }),
      allowed,
    )
}

export async function importFile(world: World): Promise<void> {
  const animals = world.animals.slice(-6).map((id) => `${id},${pick(DAYS)}`)
  const products = world.products.map(({ id }) => `${id},${pick(DAYS)}`)
  const rows = [...animals, ...products].filter(() => chance(60)).toSorted(() => random(3) - 1)
  if (rows.length > 0)
    await previewAndApply(world, '/admin/products/import', { csv: `Number,Delivery date\n${rows.join('\n')}\n` }, 'import', [200, 409, 422])
}

export async function changeSeveral(world: World): Promise<void> {
  const ids = [...world.animals.slice(-6), ...world.products.map((one) => one.id)].filter(() => chance(60)).toSorted(() => random(3) - 1)
  if (ids.length === 0) return
  const change = pick([
    { what: 'price', by: 'percent', amount: pick(['+1', '-1']) },
    { what: 'status', status: pick(['in-stock', 'pre-book', 'hold', 'sold']) },
    { what: 'visible', visible: chance(85) },
    { what: 'delivery_on', delivery_on: pick(['', ...DAYS]) },
  ])
  await previewAndApply(world, '/admin/products/bulk', { ...change, ids }, 'change several', [200, 409, 422])
}

export async function setRates(world: World): Promise<void> {
  const table = { category_id: world.cattle, season: 'storm', tiers: [{ from_kg: 1, per_kg: 540 + random(20) }] }
  const visitor = clerk(world)
  const plan = (await visitor.post('/admin/rates/preview', table)).body as unknown as { planHash: string }
  const { hash } = await readRates(world.db, world.cattle, 'storm')
  recordAnswer(
    world,
    'set rates',
    await visitor.post('/admin/rates/apply', { ...table, ratesHash: hash, planHash: plan.planHash }),
    [200, 409, 422],
  )
}

export async function receiveStock(world: World): Promise<void> {
  const { id } = pick(world.products.filter((one) => one.isCounted))
  const body = chance(70)
    ? { kind: 'received', quantity: String(5 * (1 + random(4))), note: '' }
    : { kind: 'counted', quantity: String(5 * random(5)), note: 'looked' }
  recordAnswer(world, 'change the stock', await clerk(world).post(`/admin/products/${id}/stock`, body), [200, 409, 422])
  if (chance(50)) await addAnimal(world)
}

export async function archiveProduct(world: World): Promise<void> {
  const id = pick(world.animals.slice(-6))
  recordAnswer(
    world,
    'archive a product',
    await clerk(world).post(`/admin/products/${id}/${chance(50) ? 'archive' : 'restore'}`, {}),
    [200, 404, 409, 422],
  )
}

/** Merges two customers while one of them orders. */
export async function mergeCustomers(world: World): Promise<void> {
  const { rows } = await sql<{ id: number; n: number }>`
    select u.id, (select count(*)::int from orders where customer_id = u.id) as n from users u
    where role = 'customer' and merged_into is null and phone like '0173%' order by random() limit 1`.execute(world.db)
  const other = rows[0]
  if (!other || chance(70)) return
  const answer = await clerk(world).post(`/admin/customers/${pick(world.customers).id}/merge`, { other: other.id, orders: other.n })
  recordAnswer(world, 'merge', answer, [200, 404, 409])
}
