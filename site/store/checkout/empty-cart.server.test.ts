import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { buildAnimal, buildProduct } from '#test/factories.ts'
import { pageProps } from '#test/page-props.ts'
import { openShop } from '#test/request.ts'

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
afterAll(() => expect(shop.failures).toEqual([]))

it('an empty cart links to what the shop can sell now, in the order of the categories', async () => {
  const links = async (lang = 'en') => {
    const answer = await shop.get('/cart', { accept: 'text/html', cookie: `lang=${lang}` })
    return pageProps<{ links: { href: string; label: string }[] }>(answer.text).links
  }
  expect(await links()).toEqual([{ href: '/', label: 'Home' }])
  const { rows } = await sql<{ id: number; key: string }>`select id, key from categories`.execute(db)
  const idOf = (key: string) => rows.find((row) => row.key === key)!.id
  const cow = await buildAnimal(db, { category_id: idOf('kurbani') })
  await buildAnimal(db, { category_id: idOf('beef'), status: 'sold' })
  await buildProduct(db, { category_id: idOf('fruits'), visible: false })
  await expect.poll(() => links()).toEqual([{ href: '/kurbani', label: 'Kurbani Cow' }])
  await buildProduct(db, { category_id: idOf('fruits'), status: 'pre-book' })
  await expect.poll(async () => (await links()).map(({ href }) => href)).toEqual(['/fruits', '/kurbani'])
  await sql`update products set status = 'sold' where id = ${cow.id}`.execute(db)
  await expect.poll(() => links('bn')).toEqual([{ href: '/fruits', label: expect.stringMatching(/[\u0980-\u09ff]/) }])
})
