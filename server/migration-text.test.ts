import { afterAll, beforeEach, expect, it } from 'vitest'
import pg from 'pg'
import { newDatabase } from '#test/db.ts'
import { runMigrationText } from './migration-text.ts'

const database = await newDatabase({ template: 'template1' })
const client = new pg.Client({ connectionString: database.url })
await client.connect()
afterAll(async () => {
  await client.end()
  await database.drop()
})

beforeEach(async () => {
  await client.query('begin')
  await client.query(`create table cows (id int primary key, weight int not null, price int not null);
    insert into cows values (1, 200, 90);
    create function value_of(c cows) returns int language sql immutable return c.weight * c.price;
    create function weight_of(c cows) returns int language sql immutable return c.weight;
    create index cows_value on cows (value_of(cows));`)
  return async () => void (await client.query('rollback'))
})

/** What PostgreSQL 15.20 does at a new column with a default, on the PostgreSQL of the tests, which does not. */
const refuse = (message: string) => `do $$ begin
  if exists (select from pg_proc where prosqlbody is not null and pronamespace = 'public'::regnamespace) then raise exception using errcode = '0A000', message = '${message}'; end if;
end $$;`
const bodies = async () =>
  (
    await client.query(
      "select proname, prosqlbody is not null as parsed, pg_get_functiondef(oid) as text from pg_proc where proname in ('value_of', 'weight_of') order by 1",
    )
  ).rows as { proname: string; parsed: boolean; text: string }[]

it.each([
  'cannot alter table "cows" because function value_of(cows) uses its row type',
  'cannot alter type "mobile_phone" because function value_of(cows) uses it',
])('a migration is refused for functions that take rows: %s', async (message) => {
  const before = await bodies()
  await runMigrationText(client, `${refuse(message)} alter table cows add column age int not null default 3;`)
  expect(await bodies()).toEqual(before)
  const { rows } = await client.query('select age, value_of(cows) as value from cows')
  expect(rows).toEqual([{ age: 3, value: 18_000 }])
})

it.each([
  ['return c.weight + 1', true],
  ["as 'select c.weight + 1'", false],
])('leaves a function as the migration replaced it: %s', async (body, parsed) => {
  const message = 'cannot alter table "cows" because function value_of(cows) uses its row type'
  const replace = `create or replace function weight_of(c cows) returns int language sql immutable ${body};`
  await runMigrationText(client, `${refuse(message)} drop index cows_value; drop function value_of(cows); ${replace}`)
  expect(await bodies()).toMatchObject([{ proname: 'weight_of', parsed, text: expect.stringContaining('+ 1') }])
})

it('passes other errors on, and does not try again', async () => {
  await expect(runMigrationText(client, 'alter table cows add column weight int')).rejects.toThrow('already exists')
})
