import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { deleteExpiredRows } from './jobs.ts'

const { db } = await testDb()

it('many expired rows are deleted by several statements, before one of them times out', async () => {
  const { rows: users } = await sql<{ id: number }>`insert into users (name, phone) values ('Rahim', '01300000001') returning id`.execute(
    db,
  )
  const user = users[0]!.id
  await sql`insert into sessions (token_hash, user_id, expires_at)
    select sha256(n::text::bytea), ${user}, now() - interval '2 days' from generate_series(1, 12000) n`.execute(db)
  const { rows: runs } = await sql<{ id: number }>`
    insert into bulk_runs (status, filter, total, state, started_by, started_at, finished_at)
    values ('completed', '', 12000, 'done', ${user}, now() - interval '31 days', now() - interval '31 days') returning id`.execute(db)
  await sql`insert into bulk_run_orders (run_id, order_id, version, state) select ${runs[0]!.id}, n, 1, 'done' from generate_series(1, 12000) n`.execute(
    db,
  )
  // Stands for the timeout of statements.
  await sql`create function not_many() returns trigger language plpgsql as $$
    begin if (select count(*) from gone) > 5000 then raise exception 'too many rows of %', tg_table_name; end if; return null; end $$`.execute(
    db,
  )
  for (const table of ['sessions', 'bulk_run_orders'])
    await sql`create trigger not_many after delete on ${sql.table(table)} referencing old table as gone for each statement execute function not_many()`.execute(
      db,
    )
  await deleteExpiredRows({ db, now: () => new Date() })
  const { rows } = await sql`select (select count(*)::int from sessions) as sessions, (select count(*)::int from bulk_runs) as runs,
    (select count(*)::int from bulk_run_orders) as orders`.execute(db)
  expect(rows).toEqual([{ sessions: 0, runs: 0, orders: 0 }])
})

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

it('emails are deleted after ninety days, although the shop sends none', async () => {
  await sql`insert into email_outbox (event_key, kind, recipient, created_at)
    select 'alarm-' || n, 'alarm', 'owner@shop.example', now() - n * interval '1 day' from generate_series(89, 91) n`.execute(db)
  await sql`drop trigger if exists never on attempt_counts`.execute(db)
  await deleteExpiredRows({ db, now: () => new Date() })
  const { rows } = await sql`select event_key from email_outbox order by event_key`.execute(db)
  expect(rows).toEqual([{ event_key: 'alarm-89' }])
})
