import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { expectInvariants } from '#test/invariants.ts'
import { testDb } from '#test/db.ts'
import { openShop } from '#test/request.ts'
import { BKASH, bkashFile, listMatches, openStatementShop, resetStatements } from './testing/statement-shop.ts'

// Statements are uploaded, and their rows matched with the ledger.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
// Before users log in: sessions have their time.
shop.clock.now = new Date('2026-11-24T12:00:00+06:00')
const { manager, entry, account, upload } = await openStatementShop(db, shop)
afterAll(async () => {
  await expectInvariants(db)
  expect(shop.failures).toEqual([])
})

let serial = 0
let id: number
beforeEach(async () => {
  await resetStatements(db)
  id = await account(`bKash ${(serial += 1)}`)
})

const ON = '2026-11-20'
const matches = () => listMatches(db)

describe('rows are matched', () => {
  it('by transaction id, also when the payment was recorded on another day', async () => {
    const late = await entry(500, { reference: 'BKX0000001', at: '2026-11-22T09:00:00+06:00' })
    const refund = await entry(-200, { reference: 'BKX0000002' })
    const { body } = await upload(
      id,
      bkashFile([
        [ON, 'bkx 0000001', 500],
        [ON, 'BKX0000002', '-200.00'],
        [ON, 'BKX0000003', 700],
      ]),
    )
    expect(body).toMatchObject({ rows: 3, added: 3, matched: 2, from: ON, to: ON })
    expect(await matches()).toEqual([
      [2, late, 'reference'],
      [3, refund, 'reference'],
    ])
  })

  it('a payment on account, which pays several orders, as one', async () => {
    const parts = async (amounts: number[], reference: string | null) => {
      const at = `${ON}T12:00:00+06:00`
      const sum = amounts.reduce((total, amount) => total + amount, 0)
      const { rows } = await sql<{
        id: number
      }>`insert into account_payments (customer_id, actor_id, at, method, amount_poisha, reference, balance_poisha)
        select customer_id, customer_id, ${at}, 'bkash', ${sum * 100}, ${reference}, 0 from orders limit 1 returning id`.execute(db)
      const ids = []
      for (const [index, amount] of amounts.entries()) ids.push(await entry(amount, { at, reference: index === 0 ? reference : null }))
      await sql`update ledger_entries set account_payment_id = ${rows[0]!.id} where id = any(${ids}::bigint[])`.execute(db)
      return ids
    }
    const [named, bare] = [await parts([700, 500, 300], 'BKX0000001'), await parts([40, 50], null)]
    const { body } = await upload(
      id,
      bkashFile([
        [ON, 'BKX0000001', 1500],
        // Of another customer: no part belongs to it.
        [ON, 'BKX0000002', 500],
        [ON, '', 90],
      ]),
    )
    expect(body).toMatchObject({ matched: 2 })
    expect(await matches()).toEqual([...named.map((one) => [2, one, 'reference']), ...bare.map((one) => [4, one, 'amount'])])
    await sql`update ledger_entries set account_payment_id = null`.execute(db)
    await sql`delete from account_payments`.execute(db)
  })

  it('not by transaction id with another amount, nor with the entry of another method', async () => {
    await entry(600, { reference: 'BKX0000001' })
    await entry(700, { reference: 'BKX0000002', method: 'bank' })
    await upload(
      id,
      bkashFile([
        [ON, 'BKX0000001', 500],
        [ON, 'BKX0000002', 700],
      ]),
    )
    expect(await matches()).toEqual([])
  })

  it.each<[string, [string, number][], [string | null, number][], number]>([
    ['by amount and day, where one of them has no id', [['', 500]], [[null, 500]], 1],
    ['by amount and day, when the entry has no id', [['BKX0000001', 500]], [[null, 500]], 1],
    ['by amount and day, when the row has no id', [['', 500]], [['BKX0000001', 500]], 1],
    ['not, with two different ids of a wallet', [['BKX0000001', 500]], [['BKX0000002', 500]], 0],
    [
      'not, with two possible entries',
      [['', 500]],
      [
        [null, 500],
        [null, 500],
      ],
      0,
    ],
    [
      'not, with two possible rows',
      [
        ['', 500],
        ['BKX0000001', 500],
      ],
      [[null, 500]],
      0,
    ],
    [
      'although another row of the amount has its own id',
      [
        ['BKX0000001', 500],
        ['', 500],
      ],
      [
        ['BKX0000001', 500],
        ['BKX0000002', 500],
      ],
      2,
    ],
    ['not with another amount', [['', 500.5]], [[null, 500]], 0],
  ])('%s', async (_name, rows, entries, count) => {
    for (const [reference, amount] of entries) await entry(amount, { reference })
    await upload(id, bkashFile(rows.map(([reference, amount]) => [ON, reference, amount])))
    expect(await matches()).toHaveLength(count)
  })

  it('by amount and day in Dhaka, not on the day beside it', async () => {
    const first = await entry(500, { at: '2026-11-20T00:00:00+06:00' })
    const last = await entry(600, { at: '2026-11-20T23:59:59+06:00' })
    await entry(700, { at: '2026-11-19T23:59:59+06:00' })
    await entry(800, { at: '2026-11-21T00:00:00+06:00' })
    await upload(id, bkashFile([500, 600, 700, 800].map((amount) => [ON, '', amount])))
    expect(await matches()).toEqual([
      [2, first, 'amount'],
      [3, last, 'amount'],
    ])
  })

  it('by amount and day in a bank, whose ids are written in other ways', async () => {
    const bank = await account('City Bank', 'bank')
    const paid = await entry(5000, { reference: 'FT26325ABC', method: 'bank' })
    const csv = 'Value Date,Particulars,Cheque No,Withdrawal,Deposit,Balance\n20/11/2026,NPSB FT26325ABC,000123,,"5,000.00","9,000.00"\n'
    const { body } = await upload(bank, csv, null)
    const { mapping, sample } = (body as unknown as { preview: { mapping: object; sample: string[][] } }).preview
    expect(sample).toEqual([['20/11/2026', 'NPSB FT26325ABC', '000123', '', '5,000.00', '9,000.00']])
    expect((await upload(bank, csv, mapping)).body).toMatchObject({ added: 1, matched: 1 })
    expect(await matches()).toEqual([[2, paid, 'amount']])
  })

  it('again, when the payment was recorded after the upload', async () => {
    await upload(id, bkashFile([[ON, 'BKX0000001', 500]]))
    await entry(500, { reference: 'BKX0000001' })
    expect((await manager.post(`/admin/payments/accounts/${id}/match`, {})).body).toEqual({ matched: 1 })
    expect((await manager.post(`/admin/payments/accounts/${id}/match`, {})).body).toEqual({ matched: 0 })
  })
})

describe('an upload', () => {
  const file = bkashFile([
    [ON, 'BKX0000001', 500],
    [ON, '', 300, 'Rahim'],
    [ON, '', 300, 'Rahim'],
    [ON, '', 300, 'Karim'],
  ])

  it('repeated, or overlapping, adds nothing twice; equal rows of a file are two', async () => {
    expect((await upload(id, file)).body).toMatchObject({ rows: 4, added: 4 })
    expect((await upload(id, file)).body).toMatchObject({ rows: 4, added: 0 })
    expect((await upload(id, `${file}\n2026-11-21,BKX0000009,"10",`)).body).toMatchObject({ rows: 5, added: 1, to: '2026-11-21' })
    const { rows } = await sql<{ sum: number }>`select sum(amount_poisha)::bigint as sum from statement_rows`.execute(db)
    expect(rows[0]!.sum).toBe(141_000)
    // The rows of another account are others.
    expect((await upload(await account('Second'), file)).body).toMatchObject({ added: 4 })
  })

  it('sent several times at once adds its rows and matches once', async () => {
    await entry(500, { reference: 'BKX0000001' })
    const answers = await Promise.all([1, 2, 3].map(() => upload(id, file)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(answers.map(({ body }) => (body as unknown as { added: number }).added).toSorted()).toEqual([0, 0, 4])
    expect(await matches()).toHaveLength(1)
  })

  it('of two accounts at once matches an entry once', async () => {
    await entry(500, { reference: 'BKX0000001' })
    const second = await account('Second')
    expect((await Promise.all([upload(id, file), upload(second, file)])).map(({ status }) => status)).toEqual([200, 200])
    expect(await matches()).toHaveLength(1)
  })

  it('remembers the columns, and finds them again in another order', async () => {
    const guessed = await upload(id, file, null)
    expect(guessed.body).toMatchObject({
      preview: { columns: ['Date', 'Trx ID', 'Amount', 'From'], rows: 4, mapping: { ...BKASH, dayOrder: 'dmy' } },
    })
    await upload(id, file)
    const other = await upload(id, 'My bKash\nFrom,Amount,Date,Trx ID,Balance\nX,5,2026-11-20,BKX0000007,9', null)
    expect(other.body).toMatchObject({ preview: { mapping: BKASH, rows: 1 } })
  })

  it('leaves out rows without a day or an amount, and says so', async () => {
    const { body } = await upload(id, `${file}\n,Total,"1,400",\n2026-11-20,Opening,,\n2026-11-20,Fee,0.00,`)
    expect(body).toMatchObject({ rows: 4, skipped: 3 })
  })

  it.each<[string, number, RegExp]>([
    ['Date,Trx ID,Amount,From\n2026-11-20,A,1,\nnever,B,2,', 422, /Line 3, Date: “never” is not a date/],
    ['Date,Trx ID,Amount,From\n2026-11-20,A,1.234,', 422, /Line 2, Amount: “1.234” is not an amount/],
    ['Date,Trx ID,Amount,From\n2026-11-20,BKX0000001,1,500,Rahim', 422, /Line 2 has more cells than headings: “Rahim”/],
    ['Date,Trx ID,Amount,From\n2026-12-20,A,1,', 422, /Line 2, Date: “2026-12-20” is in the future/],
    ['Date,Trx ID,Amount,From\n2026-11-20,"A,1,', 422, /Line \d+ is not valid CSV/],
    ['Date,Trx ID,Amount,From', 422, /no rows/],
    ['', 422, /empty/],
    [' \n\n', 422, /empty/],
    ['Hello', 422, /no row of headings/],
    ['Day,Sum\n2026-11-20,5', 422, /does not have these columns: Date, Amount, Trx ID, From/],
    ['PK\u0003\u0004 spreadsheet', 422, /not a CSV file/],
    ['Date,Amount\n\u0000,5', 422, /not a CSV file/],
    [`Date,Trx ID,Amount,From\n${'2026-11-20,,1,\n'.repeat(20_001)}`, 422, /more than 20,000 rows/],
    ['x'.repeat(5 * 1024 * 1024 + 1), 413, /larger than 5 MB/],
  ])('%# is refused with the reason', async (csv, status, message) => {
    const answer = await upload(id, csv)
    expect([answer.status, answer.body.message]).toEqual([status, expect.stringMatching(message)])
    expect((await sql`select 1 from statement_rows`.execute(db)).rows).toEqual([])
  })

  it('with hostile cells is stored as text, or refused', async () => {
    const hostile = [`=HYPERLINK("x")`, `<script>`, `'; drop table orders; --`, '\ud83d', `x${'\u0301'.repeat(3000)}`, '\u202ertl'].map(
      (cell) => [ON, cell, 5, cell] as const,
    )
    const csv = [
      'Date,Trx ID,Amount,From',
      ...hostile.map((cells) => cells.map((cell) => `"${String(cell).replaceAll('"', '""')}"`).join(',')),
    ].join('\n')
    const answer = await upload(id, csv)
    expect([answer.status, answer.body]).toMatchObject([200, { added: hostile.length }])
    const { text } = await manager.get(`/admin/payments/accounts/${id}/${ON}`, { accept: 'text/html' })
    expect(text).not.toMatch(/<script>'/)
  })

  it.each([
    [{ ...BKASH, day: '' }, 'day'],
    [{ ...BKASH, amount: null }, 'amount'],
    [{ ...BKASH, credit: 'From' }, 'amount'],
    [{ ...BKASH, dayOrder: 'xyz' }, 'dayOrder'],
    [{ ...BKASH, day: 'x'.repeat(500) }, 'day'],
    [{ ...BKASH, more: 1 }, 'mapping'],
  ])('with the columns %j is an error at %s', async (mapping, field) => {
    const answer = await upload(id, file, mapping)
    expect([answer.status, Object.keys(answer.body.errors ?? {}).join()]).toEqual([422, expect.stringMatching(field)])
  })

  it('stores all rows of the largest file', async () => {
    const rows = Array.from({ length: 3000 }, (_, index): [string, string, number] => [
      ON,
      `BULK${String(index).padStart(6, '0')}`,
      index + 1,
    ])
    await sql`insert into ledger_entries (order_id, kind, method, amount_poisha, reference, at)
      select (select min(id) from orders), 'advance', 'bkash', (n + 1) * 100, 'BULK' || lpad(n::text, 6, '0'), ${`${ON}T10:00:00+06:00`}::timestamptz
      from generate_series(0, 2999) n`.execute(db)
    expect((await upload(id, bkashFile(rows))).body).toMatchObject({ added: 3000, matched: 3000 })
  })
})
