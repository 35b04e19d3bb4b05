import { sql } from 'kysely'
import { runBulkOrders } from '#features/bulk-orders/run-bulk-orders.server.ts'
import { erasePerson } from '#features/customers/personal-data/erase-person.server.ts'
import { findPerson } from '#features/customers/personal-data/read-personal-data.server.ts'
import { followRefunds } from '#features/payments/refunds/follow-refunds.server.ts'
import { ORDER_STATUSES } from '#features/orders/rules.ts'
import { chance, newKey, pick, random, someOrder, somePhone, recordAnswer, taka, type Person, type World } from './world.ts'

// Actions about money that already passed: fees, write-offs, returns, refunds through the gateway, reviews, accounts, store credit, exchanges.

const clerk = (world: World) => pick(pick(world.managers).at)

interface OrderMoney {
  id: number
  version: number
  status: string
  due: number
  received: number
}

async function orderWhere(world: World, where = sql`true`): Promise<OrderMoney | undefined> {
  const { rows } = await sql<OrderMoney>`select id, version, status, amount_due(o)::float8 as due, amount_received(o)::float8 as received
    from orders o where ${where} order by id desc limit 12`.execute(world.db)
  return pick(rows)
}

/** Sends the same by both managers: it is done once at most. */
async function twice(world: World, what: string, path: string, body: object, allowed: readonly number[]): Promise<void> {
  const answers = await Promise.all((chance(50) ? world.managers : world.managers.slice(0, 1)).map(({ at }) => pick(at).post(path, body)))
  for (const answer of answers) recordAnswer(world, what, answer, allowed)
  if (answers.filter(({ status }) => status === 200).length > 1) world.problems.push(`${what} ${path} was done twice`)
}

export async function adjust(world: World): Promise<void> {
  const order = await orderWhere(world, chance(80) ? sql`amount_due(o) <> 0` : sql`true`)
  if (!order) return
  const amount = taka(chance(50) ? Math.abs(order.due) : 1 + random(Math.abs(order.due) + 500))
  if (amount <= 0) return
  const body = { kind: pick(['fee', 'write_off']), amount, reason: 'As agreed', version: order.version }
  await twice(world, 'adjust', `/admin/orders/adjustments/${order.id}`, body, [200, 404, 409, 422])
}

export async function unadjust(world: World): Promise<void> {
  const order = await orderWhere(world, sql`fee_poisha <> 0 or written_off_poisha <> 0`)
  if (!order) return
  const body = { kind: pick(['fee', 'write_off']), reason: 'Wrong', version: order.version }
  await twice(world, 'reverse', `/admin/orders/adjustments/reverse/${order.id}`, body, [200, 404, 409, 422])
}

export async function returnInAdmin(world: World): Promise<void> {
  const order = await orderWhere(world, sql`status in ('on_delivery', 'delivered', 'completed')`)
  if (!order) return
  const { rows } = await sql<{ product_id: number; milli: number }>`
    select product_id, quantity_milli as milli from order_lines where order_id = ${order.id}`.execute(world.db)
  const lines = rows
    .filter(() => chance(70))
    .map(({ product_id, milli }) => ({ product_id, quantity: chance(50) ? milli / 1000 : 1, damaged: chance(30) }))
  if (lines.length === 0) return
  await twice(
    world,
    'return in the admin',
    `/admin/orders/returns/${order.id}`,
    { lines, reason: 'Sour', version: order.version },
    [200, 404, 409, 422],
  )
}

/** Refunds of a drawer, of an ended order or an overpayment. */
export async function refundDue(world: World): Promise<void> {
  const order = await orderWhere(world, sql`amount_due(o) < 0`)
  if (!order) return
  const method = pick(['cash', 'bkash', 'bank'])
  const body = {
    method,
    amount: taka(-order.due * pick([1, 1, 0.5, 1.2])),
    transaction_id: method === 'cash' ? '' : `BACK${newKey().slice(0, 8)}`,
    version: order.version,
    drawer: method === 'cash' && chance(40),
  }
  if (body.amount > 0) await twice(world, 'refund what is due', `/admin/orders/refunds/${order.id}`, body, [200, 409, 422])
}

export async function payIntoDrawer(world: World): Promise<void> {
  const order = await orderWhere(world, sql`amount_due(o) > 0`)
  if (!order) return
  const body = { method: 'cash', amount: taka(order.due), transaction_id: '', version: order.version, drawer: true, confirmed: chance(50) }
  await twice(world, 'pay into the drawer', `/admin/orders/payments/${order.id}`, body, [200, 409, 422])
}

export async function refundByGateway(world: World): Promise<void> {
  const { rows } = await sql<{ id: number; version: number; gateway: string; transaction: string; paid: number }>`
    select o.id, o.version, e.method as gateway, e.reference as transaction, e.amount_poisha::float8 as paid from ledger_entries e
    join orders o on o.id = e.order_id where e.kind = 'gateway' and e.amount_poisha > 0 order by e.id desc limit 12`.execute(world.db)
  const one = pick(rows)
  if (!one) return
  const body = {
    gateway: one.gateway,
    transaction: one.transaction,
    amount: taka(chance(40) ? one.paid : 1000 + random(one.paid)),
    reason: 'Cancelled',
    version: one.version,
  }
  await twice(world, 'refund by the gateway', `/admin/orders/gateway-refunds/${one.id}`, body, [200, 404, 409, 422])
}

export async function followOrResolve(world: World): Promise<void> {
  const { rows } = await sql<{
    id: number
  }>`select id from gateway_refunds where state not in ('done', 'failed') order by id desc limit 5`.execute(world.db)
  if (chance(60) || rows.length === 0) {
    for (const { deps } of chance(50) ? world.shops : world.shops.slice(1)) await followRefunds(deps)
    return
  }
  const body = { outcome: pick(['done', 'failed']), reference: 'BANKREF1' }
  await twice(world, 'resolve a refund', `/admin/refunds/resolve/${pick(rows)!.id}`, body, [200, 404, 409, 422])
}

/** Makes the gateway fail or lie for the next moments. An amount is left alone: the gateway never reports two of one payment. */
export async function lie(world: World): Promise<void> {
  await world.simulator.faults(
    pick([
      {},
      {},
      { risky: true },
      { twoPaid: true },
      { notify: 'five-times' as const },
      { notify: 'before-return' as const },
      { refundPolls: 2 },
      { refund: 'error' as const },
      { refund: 'failed' as const },
      { refundCancelled: true, refundPolls: 1 },
      { query: 'error' as const },
      { validate: 'error' as const },
      { execute: 'error' as const },
    ]),
  )
}

export async function decideReview(world: World): Promise<void> {
  const { rows } = await sql<{ id: number }>`select id from payment_attempts where state = 'review' order by id desc limit 5`.execute(
    world.db,
  )
  const one = pick(rows)
  if (!one) return
  const answers = await Promise.all([
    clerk(world).post(`/admin/payments/accept/${one.id}`, {}),
    clerk(world).post(`/admin/payments/refuse/${one.id}`, { reason: 'Not him' }),
  ])
  for (const answer of answers) recordAnswer(world, 'decide a payment in review', answer, [200, 404, 409, 502])
  if (answers.filter(({ status }) => status === 200).length > 1) world.problems.push(`review ${one.id} was decided twice`)
}

/** Edits the phone of an order: it goes to another customer, with its money. */
export async function movePhone(world: World): Promise<void> {
  const order = await someOrder(world)
  if (!order) return
  const body = { address: 'House 5', phone: chance(50) ? somePhone() : pick(world.customers).phone, version: order.version }
  recordAnswer(
    world,
    'move an order to a phone',
    await clerk(world).post(`/admin/orders/update/${order.id}`, body),
    [200, 403, 409, 410, 422],
  )
}

export async function erase(world: World): Promise<void> {
  const phone = chance(80) ? somePhone() : null
  const person = phone && (await findPerson(world.db, phone))
  if (!person) return
  const result = await erasePerson(world.db, person, world.shops[0].clock.now)
  recordAnswer(world, 'erase', { status: result.ok ? 200 : 409, headers: {}, text: JSON.stringify(result), body: {} }, [200, 409])
}

export async function moveInBulk(world: World): Promise<void> {
  const { body } = await clerk(world).get('/api/admin/orders/bulk/count?query=')
  const counted = body as { count?: number; up_to?: number }
  const run = { query: '', status: pick(ORDER_STATUSES.slice(0, 4)), reason: 'Bulk', count: counted.count ?? 0, up_to: counted.up_to ?? 0 }
  if (chance(30)) recordAnswer(world, 'start a bulk run', await clerk(world).post('/admin/orders/bulk', run), [200, 409, 422])
  for (const { deps } of world.shops) await runBulkOrders({ ...deps, catalogChanged: () => deps.catalogRevision.advance() } as never)
}

export async function changeMethod(world: World): Promise<void> {
  const order = pick(world.placed.slice(-10))
  if (!order) return
  const path = chance(70) ? 'payment-method' : 'to-cart'
  const body = path === 'to-cart' ? {} : { method: pick(['advance', 'cash_on_delivery']) }
  recordAnswer(world, 'change the payment', await order.visitor.post(`/orders/${order.id}/${path}`, body), [200, 404, 409, 410, 422, 502])
}

/** Uploads a statement with payments of the ledger, and takes matches back. */
export async function reconcile(world: World): Promise<void> {
  const manager: Person = pick(world.managers)
  const { rows: accounts } = await sql<{ id: number }>`select id from statement_accounts`.execute(world.db)
  if (accounts.length === 0) {
    recordAnswer(
      world,
      'add an account',
      await manager.at[0].post('/admin/payments/accounts', { name: `bKash ${random(3)}`, method: 'bkash' }),
      [200, 409, 422],
    )
    return
  }
  const { rows } = await sql<{
    id: string
    amount: number
  }>`select reference as id, amount_poisha::float8 / 100 as amount from ledger_entries
    where method = 'bkash' and reference is not null order by id desc limit 8`.execute(world.db)
  const csv = ['Date,Trx ID,Amount,From', ...rows.filter(() => chance(60)).map(({ id, amount }) => `2026-11-20,${id},${amount},x`)].join(
    '\n',
  )
  const mapping = { day: 'Date', dayOrder: 'ymd', amount: 'Amount', credit: null, debit: null, reference: 'Trx ID', details: 'From' }
  const account = pick(accounts)!.id
  const sent = { csv, file_name: 'a.csv', mapping }
  const answers = await Promise.all(world.managers.map(({ at }) => at[0].post(`/admin/payments/accounts/${account}/statement`, sent)))
  for (const answer of answers) recordAnswer(world, 'upload a statement', answer, [200, 409, 422])
  const { rows: matched } = await sql<{ id: number }>`select row_id as id from statement_matches order by random() limit 1`.execute(
    world.db,
  )
  if (matched[0])
    await twice(world, 'unmatch', `/admin/payments/statement-rows/${matched[0].id}/unmatch`, { reason: 'Wrong' }, [200, 404, 409])
}
