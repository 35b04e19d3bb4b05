import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { buildAnimal, buildArea, buildProduct, orderBody } from '#test/factories.ts'
import { openShop } from '#test/request.ts'
import { signedIn } from './office/testing/office-shop.ts'

// The day an order goes out, as the database keeps it with the order, whatever becomes of its lines and animals.

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
const honey = () => buildProduct(db, { unit: 'piece', stock_milli: 100_000, price_poisha: 50_000, delivery_on: '2095-01-01' })
const dayOf = async (id: number) => {
  const { rows } = await sql<{ deliver_on: string; list_on: string }>`select deliver_on, list_on from orders where id = ${id}`.execute(db)
  return rows[0]!.deliver_on === rows[0]!.list_on ? 'its list’s' : rows[0]!.deliver_on
}
const edit = async (id: number, body: object) => {
  const answer = await manager.post(`/admin/orders/update/${id}`, { address: 'House 5', ...body })
  expect(answer.status, answer.text).toBe(200)
}
const lines = (...ids: number[]) => ids.map((product_id) => ({ product_id, quantity: 1, base_price: 1, price_on_order: '' }))
const setDay = (id: number, day: string | null) => sql`update products set delivery_on = ${day} where id = ${id}`.execute(db)

describe('the day an order goes out', () => {
  it('is its list’s, or the latest of its animals’ that is later; other goods have none', async () => {
    expect(await dayOf((await booked([LATER, LATEST, null])).id)).toBe(LATEST)
    expect(await dayOf((await booked([LATER], [await honey()])).id)).toBe(LATER)
    expect(await dayOf((await booked([null])).id)).toBe('its list’s')
    expect(await dayOf((await booked(['2020-01-01'])).id)).toBe('its list’s')
  })

  it('follows what the office changes of the lines, and a list of a later day', async () => {
    const jar = await honey()
    const { id, cows } = await booked([LATER], [jar])
    const other = await buildAnimal(db, { delivery_on: LATEST })
    await edit(id, { products: lines(cows[0]!, other.id, jar.id) })
    expect(await dayOf(id)).toBe(LATEST)
    await edit(id, { products: lines(cows[0]!, jar.id) })
    expect(await dayOf(id)).toBe(LATER)
    await edit(id, { products: lines(jar.id) })
    expect(await dayOf(id)).toBe('its list’s')
    await edit(id, { products: lines(other.id), list_on: '2091-01-01' })
    expect(await dayOf(id)).toBe('its list’s')
    await edit(id, { list_on: '2026-01-01' })
    expect(await dayOf(id)).toBe(LATEST)
  })

  it('follows another day of its animal, unless it is over', async () => {
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

  it('is that of its animals by then when it is opened again', async () => {
    const { id, cows } = await booked([LATER])
    await edit(id, { status: 'cancelled', reason: 'Changed their mind' })
    await setDay(cows[0]!, LATEST)
    await edit(id, { status: 'placed' })
    expect(await dayOf(id)).toBe(LATEST)
  })

  it('stands in the list, on its papers and for whoever tracks it', async () => {
    const { id } = await booked([LATER])
    /** Whether the page says it; a page is too long to be shown when it does not. */
    const says = async (path: string, text: string) => (await manager.get(path)).text.includes(text)
    const isListed = () => says(`/admin/orders?list_on=${LATER}&open=1`, `/admin/orders/update/${id}"`)
    expect(await says(`/admin/orders?q=${id}`, '6 Jun 90')).toBe(true)
    // It waits for its advance.
    expect(await isListed()).toBe(false)
    await edit(id, { status: 'processing' })
    expect(await isListed()).toBe(true)
    expect(await says(`/admin/orders/update/${id}`, 'Ships 6 Jun 90 with the animal.')).toBe(true)
    expect(await says(`/admin/orders/invoice/${id}`, '6 June 2090')).toBe(true)
    const { rows } = await sql<{ code: string }>`select tracking_code as code from orders where id = ${id}`.execute(db)
    expect(await says(`/track/${rows[0]!.code}`, '6 June 2090')).toBe(true)
  })
})
