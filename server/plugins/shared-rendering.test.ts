import { get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import { expect, it } from 'vitest'
import { testDb, untilLockWait } from '#test/db.ts'
import { buildAnimal, buildCategory } from '#test/factories.ts'
import { openShop } from '#test/request.ts'

// Requests for one page that come while it is rendered wait for that rendering.

const { db, pool, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const category = await buildCategory(db, { name_en: 'Oxen' })
const cow = await buildAnimal(db, { category_id: category.id, name_en: 'Red ox' })
const page = `/product/${cow.id}`
const { counts } = shop.deps.responseCache
const visit = () => shop.visitor().get(page, { accept: 'text/html' })
const count = async (work: () => Promise<unknown>) => {
  const before = { ...counts }
  await work()
  return { rendered: counts.misses - before.misses, shared: counts.hits - before.hits }
}

/** Stops every rendering of a product until the returned function is called. */
async function holdProducts(): Promise<() => Promise<void>> {
  const client = await pool.connect()
  await client.query('begin')
  await client.query('lock table products in access exclusive mode')
  return async () => {
    await client.query('rollback')
    client.release()
  }
}

/** Writes a change, and waits until the shop has dropped its cache. */
async function change(statement: RawBuilder<unknown>): Promise<void> {
  const before = shop.deps.catalogRevision.current
  await statement.execute(db)
  await expect.poll(() => shop.deps.catalogRevision.current).toBeGreaterThan(before)
}
const rename = (name: string) => change(sql`update products set name_en = ${name} where id = ${cow.id}`)

it('of twenty visitors at once after a change one waits for the rendering, and all see the change', async () => {
  await rename('Brown ox')
  const said = await count(async () => {
    for (const { status, text } of await Promise.all(Array.from({ length: 20 }, visit))) {
      expect(status).toBe(200)
      expect(text).toContain('Brown ox')
    }
  })
  expect(said).toEqual({ rendered: 1, shared: 19 })
})

it('a change during the rendering: who came before shares it, who comes after shares the next one', async () => {
  await rename('Grey ox')
  const go = await holdProducts()
  const before = [visit(), visit(), visit()]
  await untilLockWait(db)
  await change(sql`update categories set name_en = 'Bulls' where id = ${category.id}`)
  const after = [visit(), visit(), visit()]
  await sleep(50)
  const said = await count(async () => {
    await go()
    for (const { status, text } of await Promise.all([...before, ...after])) {
      expect(status).toBe(200)
      expect(text).toContain('Grey ox')
    }
    for (const { text } of await Promise.all(after)) expect(text).toContain('Bulls')
  })
  expect(said).toEqual({ rendered: 2, shared: 4 })
})

it('a visitor who leaves does not leave the others waiting', async () => {
  await rename('White ox')
  const go = await holdProducts()
  const leaving = get(new URL(page, shop.deps.env.publicUrl), { headers: { accept: 'text/html' } })
  const left = new Promise((resolve) => leaving.on('error', resolve))
  await untilLockWait(db)
  const others = [visit(), visit(), visit()]
  await sleep(50)
  leaving.destroy()
  await left
  await go()
  for (const { status, text } of await Promise.all(others)) {
    expect(status).toBe(200)
    expect(text).toContain('White ox')
  }
})

it('a request for the headers alone leaves the page whole for those who wait for it', async () => {
  await rename('Black ox')
  const go = await holdProducts()
  const head = fetch(new URL(page, shop.deps.env.publicUrl), { method: 'HEAD', headers: { accept: 'text/html' } })
  await untilLockWait(db)
  const others = [visit(), visit()]
  await sleep(50)
  await go()
  expect((await head).status).toBe(200)
  for (const { status, text } of [...(await Promise.all(others)), await visit()]) {
    expect(status).toBe(200)
    expect(text).toContain('Black ox')
  }
})

it('what is not stored is sent to everyone', async () => {
  const visits = Array.from({ length: 12 }, () => shop.visitor().get('/product/999999', { accept: 'text/html' }))
  for (const { status } of await Promise.all(visits)) expect(status).toBe(404)
  expect(shop.failures).toEqual([])
})
