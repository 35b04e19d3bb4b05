import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { buildAnimal, buildCategory } from '#test/factories.ts'
import { rowsRead } from '#test/rows-read.ts'
import { weightGained } from './balances.server.ts'

const { db } = await testDb()

it('the largest gains read only the animals that are listed', async () => {
  const category = await buildCategory(db)
  await Promise.all(Array.from({ length: 60 }, () => buildAnimal(db, { category_id: category.id })))
  await sql`insert into weigh_ins (product_id, weighed_on, grams, weighed_by)
    select p.id, date '2026-03-01' + day, 100000 + day * p.id * 10, 'Jamal' from products p, unnest(array[0, 10]) day`.execute(db)
  await sql`analyze products, weigh_ins`.execute(db)
  const period = { from: '2026-03-01', to: '2026-03-31', days: 31 }
  const read = await rowsRead(db, 'products', async (tx) => {
    await sql`set local enable_seqscan = off`.execute(tx)
    const { gains, gained } = await weightGained(tx, period, 'en', 5)
    expect([gains.length, gained.animals]).toEqual([5, 60])
  })
  expect(read).toBeLessThan(10)
})
