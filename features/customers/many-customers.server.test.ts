import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Db } from '#lib/db/db.server.ts'
import { testDb } from '#test/db.ts'
import { rowsRead } from '#test/rows-read.ts'
import { findCustomers, listCustomers } from './customer-list.server.ts'
import { readCustomerFilter, readCustomerSearch } from './list-query-rules.ts'

const { db } = await testDb()
const FIRST_PAGE = { backward: false, from: null }

beforeAll(async () => {
  await sql`insert into users (name, phone) select case when n <= 2 then 'Quddus' when n % 2 = 0 then 'Rahim' else 'Karim' end,
    '016' || lpad(n::text, 8, '0') from generate_series(1, 12000) n`.execute(db)
  await sql`vacuum analyze users`.execute(db)
})

describe('a search by name, among many customers', () => {
  it.each([
    ['Quddus', 2],
    ['Zxqv', 0],
    ['01', 0],
  ])('of %j, which few have, reads only these', async (q, expected) => {
    for (const sort of ['new', 'name'] as const) {
      const list = (tx: Db) => listCustomers(tx, readCustomerFilter({ q }), { ...FIRST_PAGE, sort })
      expect(await rowsRead(db, 'users', async (tx) => expect((await list(tx)).rows).toHaveLength(expected))).toBeLessThan(4000)
    }
    const find = (tx: Db) => findCustomers(tx, readCustomerSearch(q)!, 6)
    expect(await rowsRead(db, 'users', async (tx) => expect(await find(tx)).toHaveLength(expected))).toBeLessThan(4000)
  })

  it('of a name that many have reads no more than the newest', async () => {
    const find = (tx: Db) => findCustomers(tx, readCustomerSearch('Rahim')!, 6)
    expect(await rowsRead(db, 'users', async (tx) => expect(await find(tx)).toHaveLength(6))).toBeLessThan(4000)
  })
})
