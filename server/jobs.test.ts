import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { deleteExpiredRows } from './jobs.ts'

const { db } = await testDb()

it('expired rows that cannot be deleted block no others', async () => {
  await sql`insert into attempt_counts (key, window_start, count) values ('x', now() - interval '3 days', 1)`.execute(db)
  await sql`insert into idempotency_keys (key, request_hash, result, sent_at) values ('1:of-yesterday', '', '{}', now() - interval '2 days')`.execute(
    db,
  )
  await sql`create function never() returns trigger language plpgsql as $$ begin raise exception 'never'; end $$`.execute(db)
  await sql`create trigger never before delete on attempt_counts for each row execute function never()`.execute(db)
  await expect(deleteExpiredRows({ db, now: () => new Date() })).rejects.toThrow('never')
  const { rows } =
    await sql`select (select count(*)::int from attempt_counts) as attempts, (select count(*)::int from idempotency_keys) as keys`.execute(
      db,
    )
  expect(rows).toEqual([{ attempts: 1, keys: 0 }])
})
