import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { inTransaction } from '#lib/db/db.server.ts'
import { testDb, untilLockWait } from '#test/db.ts'
import { buildUser } from '#test/factories.ts'
import { lockAccount } from './account-queries.server.ts'

const { db } = await testDb()

it('the customer who gets the account by a merge that is waited for is locked', async () => {
  const [target, other] = [await buildUser(db, { password: null }), await buildUser(db, { password: null })]
  const [locked, decided] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const merging = inTransaction(db, async (tx) => {
    await sql`select 1 from users where id in (${target.id}, ${other.id}) order by id for update`.execute(tx)
    locked.resolve()
    await decided.promise
    await tx.updateTable('users').set({ merged_into: target.id, disabled_at: new Date() }).where('id', '=', other.id).execute()
  })
  await locked.promise
  const selling = inTransaction(db, async (tx) => {
    const account = await lockAccount(tx, { phone: other.phone })
    const free = await sql`select id from users where id = ${target.id} for no key update skip locked`.execute(db)
    return { id: account?.id, isFree: free.rows.length > 0 }
  })
  await untilLockWait(db)
  decided.resolve()
  await merging
  expect(await selling).toEqual({ id: target.id, isFree: false })
})
