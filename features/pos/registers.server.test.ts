import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { testDb } from '#test/db.ts'
import { buildUser } from '#test/factories.ts'
import { openShop } from '#test/request.ts'
import type { Visitor } from '#test/visitor.ts'
import { listRegisters } from './registers.server.ts'

// A register has one drawer: one open shift at a time, and the last count is proposed to the next cashier.

const { db, url, reset } = await testDb()
const shop = await openShop({ databaseUrl: url })
beforeEach(() => reset())
afterAll(() => expect(shop.failures).toEqual([]))

async function cashier(name: string): Promise<Visitor> {
  const user = await buildUser(db, { role: 'cashier', name })
  const visitor = shop.visitor()
  await visitor.signIn(user.phone)
  await visitor.token()
  return visitor
}
const open = (who: Visitor, register: unknown, cash: unknown = 500) =>
  who.post('/admin/quick-orders/shift/open', { opening_cash: cash, register })
const close = (who: Visitor, cash: number) =>
  who.post('/admin/quick-orders/shift/close', { counted_cash: cash, counted_bkash: 0, counted_bank: 0, note: 'counted' })
const registers = () => listRegisters(db, { isBlind: false })

test('a drawer has one open shift; its last count is proposed to the next cashier, and hidden where counts are blind', async () => {
  const [shirin, mizan] = [await cashier('Shirin'), await cashier('Mizan')]
  expect((await open(shirin, ' Front ')).status).toBe(200)
  const taken = await open(mizan, 'front')
  expect(taken.status).toBe(409)
  expect(taken.body.errors?.register?.[0]).toContain('Shirin')
  expect(await registers()).toEqual([{ id: expect.any(Number), name: 'Front', last_count: null, open_by: 'Shirin' }])
  expect((await close(shirin, 450)).status).toBe(200)
  expect(await registers()).toEqual([{ id: expect.any(Number), name: 'Front', last_count: 45_000, open_by: null }])
  expect(await listRegisters(db, { isBlind: true })).toEqual([{ id: expect.any(Number), name: 'Front', last_count: null, open_by: null }])
  expect((await open(mizan, 'FRONT', 450)).status).toBe(200)
  const { rows } = await sql`select register, count(distinct register_id)::int as ids from pos_shifts group by register`.execute(db)
  expect(rows).toEqual([{ register: 'Front', ids: 1 }])
})

test('of four cashiers who open one drawer at once, one has it; without a register each has a shift', async () => {
  const all = await Promise.all(['A', 'B', 'C', 'D'].map(cashier))
  const answers = await Promise.all(all.map((who) => open(who, 'Gate')))
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409])
  expect(await registers()).toHaveLength(1)
  const losers = all.filter((_, at) => answers[at]?.status === 409)
  expect(await Promise.all(losers.map(async (who) => (await open(who, '')).status))).toEqual([200, 200, 200])
})

test('rejects names that are no text or too long', async () => {
  const who = await cashier('A')
  for (const name of ['x'.repeat(41), 7, null, {}]) expect((await open(who, name)).status).toBe(422)
  expect((await open(who, '\t ')).status).toBe(200)
  expect(await registers()).toEqual([])
})

test('the upgrade turns names of earlier shifts into registers; of two open shifts the oldest has the drawer', async () => {
  const ids = await Promise.all(['A', 'B', 'C'].map(async (name) => (await buildUser(db, { role: 'cashier', name })).id))
  await db
    .transaction()
    .execute(async (tx) => {
      await sql`drop index pos_shifts_register, one_open_shift_of_register`.execute(tx)
      await sql`alter table pos_shifts drop column register_id`.execute(tx)
      await sql`drop table pos_registers`.execute(tx)
      await sql`insert into pos_shifts (cashier_id, opened_at, opening_cash_poisha, register)
        select id, now(), 0, name from unnest(${ids}::bigint[], array['Front', 'front ', '']) as t (id, name)`.execute(tx)
      await sql.raw(readFileSync('db/migrations/0152_registers.sql', 'utf8')).execute(tx)
      const { rows } =
        await sql`select s.register, r.name from pos_shifts s left join pos_registers r on r.id = s.register_id order by s.id`.execute(tx)
      expect(rows).toEqual([
        { register: 'Front', name: 'front' },
        { register: 'front ', name: null },
        { register: '', name: null },
      ])
      throw new Error('rolled back')
    })
    .catch((error: unknown) => {
      if (!(error instanceof Error) || error.message !== 'rolled back') throw error
    })
})
