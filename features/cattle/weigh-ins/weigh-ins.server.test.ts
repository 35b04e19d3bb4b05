import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { signedIn } from '#features/orders/testing/admin-shop.ts'
import { testDb, untilLockWait } from '#test/db.ts'
import { buildAnimal, buildArea, buildCategory, buildImage, orderBody } from '#test/factories.ts'
import { pageProps } from '#test/page-props.ts'
import { openShop } from '#test/request.ts'
import { rowsRead } from '#test/rows-read.ts'
import type { CattleNotes } from '#features/catalog/cattle-notes.ts'
import { findByTag, type ScaleAnimal } from '../queries.server.ts'

// Animals are found at the scale, and what shoppers read of their weighings.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
afterAll(() => expect(shop.failures).toEqual([]))
const html = { accept: 'text/html' }
const today = '2026-11-20'
const area = await buildArea(db, { cattle: 1500 })
const [beef, kurbani] = [
  await buildCategory(db, { key: 'beef', final_weighing_days: 2 }),
  await buildCategory(db, { key: 'kurbani', final_weighing_days: 4 }),
]
await sql`insert into rate_tiers (category_id, season, from_grams, poisha_per_kg) values (${beef.id}, '', 1000, 55000)`.execute(db)
const weigher = await signedIn(shop, 'weigher')

it('a whole tag, its number alone, or the barcode of the label finds one animal; Bengali letters count as Latin ones', async () => {
  const [first, tenth] = [
    await buildAnimal(db, { tag_number: 'K-1' }),
    await buildAnimal(db, { tag_number: 'K-10', barcode: '2000000000107' }),
  ]
  const find = async (tag: string) => {
    const { animal, found } = pageProps<{ animal: ScaleAnimal | null; found: ScaleAnimal[] }>(
      (await weigher.get(`/admin/weigh-ins?tag=${encodeURIComponent(tag)}`, html)).text,
    )
    return [animal?.id ?? null, found.map(({ id }) => id)]
  }
  for (const typed of ['K-1', ' k-১', 'কে-১', 'কে ১', 'k  1']) expect(await find(typed), typed).toEqual([first.id, [first.id]])
  for (const typed of ['K-10', 'কে-১০', '2000000000107', '২০০০০০০০০০১০৭']) expect(await find(typed), typed).toEqual([tenth.id, [tenth.id]])
  expect(await find('K-')).toEqual([null, [first.id, tenth.id]])
  expect(await find('200000000010')).toEqual([null, []])
  for (const typed of ['k10', 'কে১০', '10', '১০', '-10']) expect(await find(typed), typed).toEqual([tenth.id, [tenth.id]])
  const [other, named] = [await buildAnimal(db, { tag_number: 'B-10' }), await buildAnimal(db, { tag_number: '1001' })]
  expect(await find('১০'), 'the tags with the whole number come first').toEqual([null, [other.id, tenth.id, named.id]])
  expect(await find('0')).toEqual([null, []])
  expect(await find("K-1' or true")).toEqual([null, []])
})

it('shoppers see the last weigh-in of a day: it corrects the others', async () => {
  const cow = await buildAnimal(db, { category_id: beef.id, weight_grams: 250_000, weighed_on: '2026-11-01' })
  const weigh = (weight_kg: number, weighed_on: string) =>
    weigher.post(`/admin/animals/${cow.id}/weigh-ins`, { weight_kg, weighed_on, method: 'scale', weighed_by: 'Rafiq', confirmed: true })
  for (const [kg, day] of [
    [250, '2026-11-01'],
    [25, today],
    [252, today],
  ] as const)
    expect((await weigh(kg, day)).status).toBe(200)
  const { weigh_ins } = (await shop.get(`/api/products/${cow.id}`)).body as unknown as { weigh_ins: { weight_kg: number }[] }
  expect(weigh_ins.map(({ weight_kg }) => weight_kg)).toEqual([250, 252])
})

it('a weight is compared with the weigh-ins just before and just after its day', async () => {
  const cow = await buildAnimal(db, { category_id: beef.id, weight_grams: 200_000, weighed_on: '2026-09-01' })
  const weigh = (weight_kg: number, weighed_on: string, confirmed = false) =>
    weigher.post(`/admin/animals/${cow.id}/weigh-ins`, { weight_kg, weighed_on, method: 'scale', weighed_by: 'Rafiq', confirmed })
  for (const [kg, day] of [
    [200, '2026-09-01'],
    [210, '2026-09-11'],
    [280, today],
  ] as const)
    expect((await weigh(kg, day)).status).toBe(200)
  // Within what an animal gains until today, but not of the day before or after.
  const late = await weigh(240, '2026-09-12')
  expect([late.status, late.body.errors]).toEqual([409, { weight_kg: ['It weighed 210 kg on 11 Sep. Is this correct?'] }])
  expect((await weigh(230, '2026-09-10')).body.errors).toEqual({ weight_kg: ['It weighed 200 kg on 1 Sep. Is this correct?'] })
  expect((await weigh(215, '2026-09-10')).body.errors).toEqual({ weight_kg: ['It weighed 210 kg on 11 Sep. Is this correct?'] })
  expect((await weigh(170, '2026-08-31')).body.errors).toEqual({ weight_kg: ['It weighed 200 kg on 1 Sep. Is this correct?'] })
  expect((await weigh(240, '2026-09-12', true)).status).toBe(200)
  expect((await weigh(204, '2026-09-05')).status).toBe(200)
})

it('a booked animal that is weighed again has no rate per kg: its price is that of the booking', async () => {
  const cow = await buildAnimal(db, { category_id: beef.id, weight_grams: 200_000, weighed_on: today, price_poisha: 11_000_000 })
  const shown = async () => (await shop.get(`/api/products/${cow.id}`)).body as unknown as { rate_per_kg: number | null; weight_kg: number }
  expect(await shown()).toMatchObject({ rate_per_kg: 550 })
  expect((await shop.visitor().post('/customer-orders', orderBody(area.id, [[cow.id, 1]]))).status).toBe(200)
  const body = { weight_kg: 210, weighed_on: today, method: 'scale', weighed_by: 'Rafiq', confirmed: true }
  expect((await weigher.post(`/admin/animals/${cow.id}/weigh-ins`, body)).status).toBe(200)
  expect(await shown()).toMatchObject({ price: 110_000, weight_kg: 210, rate_per_kg: null })
})

it('the invoice names the final weighing of the own category of the animal, also when it left the shop', async () => {
  const cow = await buildAnimal(db, { category_id: beef.id, weight_grams: 200_000, weighed_on: today })
  await sql`insert into product_categories (product_id, category_id) values (${cow.id}, ${kurbani.id})`.execute(db)
  const shopper = shop.visitor()
  const { body, text } = await shopper.post('/customer-orders', orderBody(area.id, [[cow.id, 1]]))
  expect(body.order_id, text).toBeTypeOf('number')
  const days = async () =>
    pageProps<{ weighingDays: number | null }>((await shopper.get(`/invoice/${body.order_id}`, html)).text).weighingDays
  expect(await days()).toBe(2)
  await sql`update products set visible = false where id = ${cow.id}`.execute(db)
  expect(await days()).toBe(2)
})

it('an animal with a fixed price has no final weighing on its page and on the invoice', async () => {
  const notesOf = async (id: number) =>
    pageProps<{ notes: CattleNotes }>((await shop.get(`/product/${id}`, { accept: 'text/html' })).text).notes
  const cow = await buildAnimal(db, { category_id: beef.id, weight_grams: 200_000, weighed_on: today })
  expect(await notesOf(cow.id)).toMatchObject({ finalWeighingDays: 2, rates: [{}] })
  const fixed = await buildAnimal(db, { category_id: beef.id, weight_grams: 200_000, weighed_on: today, sold_by_live_weight: false })
  expect(await notesOf(fixed.id)).toMatchObject({ finalWeighingDays: null, rates: [] })
  const shopper = shop.visitor()
  const { body, text } = await shopper.post('/customer-orders', orderBody(area.id, [[fixed.id, 1]]))
  expect(body.order_id, text).toBeTypeOf('number')
  const invoice = pageProps<{ weighingDays: number | null }>((await shopper.get(`/invoice/${body.order_id}`, html)).text)
  expect(invoice.weighingDays).toBeNull()
})

it('a picture that is gone, or is deleted at that moment, is an error at its field', async () => {
  const cow = await buildAnimal(db, { category_id: beef.id, weight_grams: 200_000, weighed_on: today })
  const weigh = (image_id: number) =>
    weigher.post(`/admin/animals/${cow.id}/weigh-ins`, {
      weight_kg: 201,
      weighed_on: today,
      method: 'scale',
      weighed_by: 'Rafiq',
      image_id,
    })
  const problem = { image_id: ['Choose an option.'] }
  expect((await weigh(99_999)).body.errors).toEqual(problem)
  const unused = await buildImage(db)
  const sending = await db.transaction().execute(async (tx) => {
    await sql`delete from images where id = ${unused.id}`.execute(tx)
    const answer = weigh(unused.id)
    await untilLockWait(db)
    return { answer }
  })
  expect((await sending.answer).body.errors).toEqual(problem)
})

it('a whole tag, its number or a barcode reads one animal, however many there are', async () => {
  await Promise.all(Array.from({ length: 60 }, (_, n) => buildAnimal(db, { tag_number: `Z-${n}`, barcode: `30000000000${10 + n}` })))
  await sql`analyze products`.execute(db)
  for (const code of ['Z-7', '3000000000017', 'Z7', '7']) {
    const read = await rowsRead(db, 'products', async (tx) => {
      // A table of this size is read whole more cheaply.
      await sql`set local enable_seqscan = off`.execute(tx)
      expect(await findByTag(tx, code)).toMatchObject([{ tag_number: 'Z-7' }])
    })
    expect(read, code).toBeLessThan(5)
  }
})
