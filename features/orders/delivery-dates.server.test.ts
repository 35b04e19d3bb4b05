import { sql } from 'kysely'
import { lockProductsWithOrders } from '#features/stock/stock.server.ts'
import { afterAll, describe, expect, it } from 'vitest'
import { inTransaction } from '#lib/db/db.server.ts'
import { addDays, dhakaDate } from '#lib/format/time.ts'
import { testDb } from '#test/db.ts'
import { buildAnimal, buildArea, buildProduct, orderBody } from '#test/factories.ts'
import { openShop } from '#test/request.ts'
import { signedIn, storeBody } from './testing/admin-shop.ts'

// The delivery date of an order, which triggers maintain when lines and products change.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
afterAll(() => expect(shop.failures).toEqual([]))
const area = await buildArea(db, { produce: 80, cattle: 1500 })
const manager = await signedIn(shop, 'manager')

const LATER = '2090-06-06'
const LATEST = '2090-06-09'

async function booked(days: (string | null)[], more: { id: number }[] = []) {
  const cows = []
  for (const day of days) cows.push(await buildAnimal(db, { delivery_on: day }))
  const lines = [...cows, ...more].map(({ id }): [number, number] => [id, 1])
  const total = days.length * 110_000 + more.length * 500 + 1500
  const payment = { payment_type: 'partial', payment_gateway: 'NONE', payable_amount: total, partial_payment: total }
  const { body, text } = await shop.visitor().post('/customer-orders', orderBody(area.id, lines, payment))
  if (!body.order_id) throw new Error(text)
  return { id: body.order_id, cows: cows.map(({ id }) => id) }
}
const honey = (delivery_on: string | null = null) =>
  buildProduct(db, { unit: 'piece', stock_milli: 100_000, price_poisha: 50_000, shipping_poisha: 8000, delivery_on })
const dayOf = async (id: number) => {
  const { rows } = await sql<{ deliver_on: string; list_on: string }>`select deliver_on, list_on from orders where id = ${id}`.execute(db)
  return rows[0]!.deliver_on === rows[0]!.list_on ? 'its list’s' : rows[0]!.deliver_on
}
const edit = async (id: number, body: object) => {
  const answer = await manager.post(`/admin/orders/update/${id}`, { address: 'House 5', ...body })
  expect(answer.status, answer.text).toBe(200)
}
const lines = (...ids: number[]) => ids.map((product_id) => ({ product_id, quantity: 1, base_price: 1, price_on_order: '' }))
const today = () => dhakaDate(shop.clock.now)
const CASH = { payment_type: 'cash_on_delivery', payment_gateway: 'NONE' }
const setDay = (id: number, day: string | null) => sql`update products set delivery_on = ${day} where id = ${id}`.execute(db)

describe('the delivery date of an order', () => {
  it('is the later of the list day and the last delivery date of its products', async () => {
    expect(await dayOf((await booked([LATER, LATEST, null])).id)).toBe(LATEST)
    expect(await dayOf((await booked([LATER], [await honey()])).id)).toBe(LATER)
    expect(await dayOf((await booked([LATER], [await honey(LATEST)])).id)).toBe(LATEST)
    expect(await dayOf((await booked([null])).id)).toBe('its list’s')
    expect(await dayOf((await booked(['2020-01-01'])).id)).toBe('its list’s')
  })

  it('follows edited lines and a later list day', async () => {
    const jar = await honey()
    const { id, cows } = await booked([LATER], [jar])
    const other = await buildAnimal(db, { delivery_on: LATEST })
    await edit(id, { products: lines(cows[0]!, other.id, jar.id) })
    expect(await dayOf(id)).toBe(LATEST)
    await edit(id, { products: lines(cows[0]!, jar.id) })
    expect(await dayOf(id)).toBe(LATER)
    await edit(id, { products: lines(jar.id) })
    expect(await dayOf(id)).toBe('its list’s')
    const soon = addDays(today(), 20)
    const near = await buildAnimal(db, { delivery_on: soon })
    await edit(id, { products: lines(near.id), list_on: addDays(soon, 20) })
    expect(await dayOf(id)).toBe('its list’s')
    await edit(id, { list_on: today() })
    expect(await dayOf(id)).toBe(soon)
    const preOrder = await honey('2090-06-12')
    await edit(id, { products: lines(other.id, preOrder.id) })
    expect(await dayOf(id)).toBe('2090-06-12')
    await edit(id, { products: lines(other.id) })
    expect(await dayOf(id)).toBe(LATEST)
  })

  it('follows a new delivery date of its animal, unless the order has ended', async () => {
    const { id, cows } = await booked([LATER])
    await setDay(cows[0]!, LATEST)
    expect(await dayOf(id)).toBe(LATEST)
    await setDay(cows[0]!, null)
    expect(await dayOf(id)).toBe('its list’s')
    await setDay(cows[0]!, LATER)
    await edit(id, { status: 'cancelled', reason: 'Changed their mind' })
    await setDay(cows[0]!, LATEST)
    expect(await dayOf(id)).toBe(LATER)
  })

  it('a new date in the past is rejected at its field; an unchanged one is allowed', async () => {
    const { id } = await booked([null])
    const yesterday = addDays(today(), -1)
    const answer = await manager.post(`/admin/orders/update/${id}`, { address: 'House 5', list_on: yesterday, note: 'not saved' })
    expect([answer.status, answer.body]).toEqual([
      422,
      expect.objectContaining({ errors: { list_on: ['The delivery date is in the past. Choose today or a later date.'] } }),
    ])
    expect((await sql<{ note: string }>`select note from orders where id = ${id}`.execute(db)).rows).toEqual([{ note: '' }])
    await sql`update orders set list_on = ${yesterday} where id = ${id}`.execute(db)
    await edit(id, { list_on: yesterday, note: 'saved' })
  })

  it('follows new dates of products that are not due yet; lines due by today keep their date', async () => {
    const [ahead, due] = [await honey(LATER), await honey()]
    const order = async (product: { id: number }) => {
      const { body, text } = await shop.visitor().post('/customer-orders', orderBody(area.id, [[product.id, 1]], CASH))
      if (!body.order_id) throw new Error(text)
      return body.order_id as number
    }
    const [first, second, sent] = [await order(ahead), await order(due), await order(ahead)]
    await edit(sent, { status: 'processing' })
    await edit(sent, { status: 'on_delivery' })
    await setDay(ahead.id, LATEST)
    await setDay(due.id, LATEST)
    expect(await dayOf(first)).toBe(LATEST)
    expect(await dayOf(second)).toBe('its list’s')
    expect(await dayOf(sent)).toBe(LATER)
  })

  it('is set for orders created by staff', async () => {
    const jar = await honey(LATER)
    const form = storeBody(area.id, [[jar.id, 1]], { phone: '01811000077' })
    const made = await manager.post('/admin/orders/store', form, { headers: { 'idempotency-key': 'staff-date' } })
    expect(made.status, made.text).toBe(200)
    const { rows } = await sql<{ deliver_on: string }>`select deliver_on from orders where phone = '01811000077'`.execute(db)
    expect(rows).toEqual([{ deliver_on: LATER }])
  })

  it('stays consistent when the product gets a new date while orders are placed', async () => {
    const jar = await honey(LATER)
    const days = ['2091-01-01', '2091-02-01', '2091-03-01', LATER]
    const place = () => shop.visitor().post('/customer-orders', orderBody(area.id, [[jar.id, 1]], CASH))
    const answers = await Promise.all([
      ...Array.from({ length: 40 }, place),
      ...days.map(async (day) => {
        await inTransaction(db, async (tx) => {
          await lockProductsWithOrders(tx, [{ id: jar.id, day }])
          await sql`update products set delivery_on = ${day} where id = ${jar.id}`.execute(tx)
        })
        return null
      }),
    ])
    const placed = answers.filter((answer) => answer?.status === 200 || answer?.status === 201)
    expect(placed.length).toBeGreaterThan(0)
    const { rows } = await sql<{ deliver_on: string; promised: string }>`
      select distinct o.deliver_on, p.delivery_on as promised from orders o join order_lines l on l.order_id = o.id
      join products p on p.id = l.product_id where p.id = ${jar.id}`.execute(db)
    expect(rows).toEqual([{ deliver_on: rows[0]!.promised, promised: rows[0]!.promised }])
  })

  it('uses the current date of its animals when the order is reopened', async () => {
    const { id, cows } = await booked([LATER])
    await edit(id, { status: 'cancelled', reason: 'Changed their mind' })
    await setDay(cows[0]!, LATEST)
    await edit(id, { status: 'placed' })
    expect(await dayOf(id)).toBe(LATEST)
  })

  it('is the chosen day when the order is reopened, unless its products come later', async () => {
    const { id, cows } = await booked([null])
    const [before, chosen, after] = [3, 5, 9].map((days) => addDays(today(), days))
    await edit(id, { list_on: chosen })
    for (const [day, expected] of [
      [before!, chosen],
      [after!, after],
      [null, chosen],
    ] as const) {
      await edit(id, { status: 'cancelled', reason: 'Changed their mind' })
      await setDay(cows[0]!, day)
      await edit(id, { status: 'placed' })
      const { rows } = await sql`select list_on, deliver_on from orders where id = ${id}`.execute(db)
      expect(rows).toEqual([{ list_on: chosen, deliver_on: expected }])
    }
  })

  it('is shown in the order list, on the print views and on the tracking page', async () => {
    const { id } = await booked([LATER])
    /** Whether the page contains the text. A boolean keeps whole pages out of failure messages. */
    const says = async (path: string, text: string) => (await manager.get(path)).text.includes(text)
    const isListed = () => says(`/admin/orders?list_on=${LATER}&open=1`, `/admin/orders/update/${id}"`)
    expect(await says(`/admin/orders?q=${id}`, '6 Jun 2090')).toBe(true)
    const { rows } = await sql<{ code: string }>`select tracking_code as code from orders where id = ${id}`.execute(db)
    const pages = [`/admin/orders/invoice/${id}`, `/admin/quick-orders/pos-invoice/${id}`, `/track/${rows[0]!.code}`]
    const promises = () => Promise.all(pages.map((path) => says(path, '6 June 2090')))
    // The order waits for its advance, so no date is shown.
    expect(await isListed()).toBe(false)
    expect(await promises()).toEqual([false, false, false])
    await edit(id, { status: 'processing' })
    expect(await isListed()).toBe(true)
    expect(await says(`/admin/orders/update/${id}`, 'Delivery on 6 Jun 2090: not all products are available before.')).toBe(true)
    expect(await promises()).toEqual([true, true, true])
    await edit(id, { status: 'cancelled', reason: 'Changed their mind' })
    expect(await promises()).toEqual([false, false, false])
    expect(await says(`/admin/orders?q=${id}`, '6 Jun 2090')).toBe(false)
  })
})
