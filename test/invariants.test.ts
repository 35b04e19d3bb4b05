import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { testDb } from './db.ts'
import { buildProduct } from './factories.ts'
import { countStock, expectInvariants } from './invariants.ts'

const { db } = await testDb()
const MISMATCH = 'tracked product whose status does not match its stock'
const LOST = 'stock that is neither left nor moved'

it('names a broken invariant and its rows, each time', async () => {
  const { id } = await buildProduct(db, { stock_milli: 5000 })
  const before = await countStock(db)
  for (let times = 0; times < 2; times++) {
    await expectInvariants(db, before)
    await sql`update products set status = 'out-of-stock' where id = ${id}`.execute(db)
    await expect(expectInvariants(db, before)).rejects.toMatchObject({ actual: { [MISMATCH]: [{ id }] } })
    await sql`update products set status = 'in-stock', stock_milli = 4000 where id = ${id}`.execute(db)
    await expect(expectInvariants(db, before)).rejects.toMatchObject({ actual: { [LOST]: [{ id, left: 4000 }] } })
    await sql`update products set stock_milli = 5000 where id = ${id}`.execute(db)
  }
})
