import { afterAll, expect, it } from 'vitest'
import { DEFAULT_SETTINGS } from '#features/settings/settings.ts'
import { testDb } from '#test/db.ts'
import { openShop } from '#test/request.ts'

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
afterAll(() => expect(shop.failures).toEqual([]))

it('the payment step offers the phone to those who cannot pay in an offered way', async () => {
  const text = async () => (await shop.get('/cart', { accept: 'text/html' })).text
  expect(await text()).not.toContain('To pay in another way')
  const value = JSON.stringify({ ...DEFAULT_SETTINGS.shop, phone: '01712345678' })
  await db
    .insertInto('settings')
    .values({ key: 'shop', value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute()
  await expect.poll(text).toMatch(/<div id="marks".*<a href="tel:\+8801712345678"[^>]*>To pay in another way, call 01712345678\./)
})
