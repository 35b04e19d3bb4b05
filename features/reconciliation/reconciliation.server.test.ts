import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { signedIn } from '#features/orders/testing/admin-shop.ts'
import { expectInvariants } from '#test/invariants.ts'
import { testDb } from '#test/db.ts'
import { pageProps } from '#test/page-props.ts'
import { openShop } from '#test/request.ts'
import type { Props as AccountProps } from '#site/admin/payments/account.page.tsx'
import { BKASH, bkashFile, listMatches, openStatementShop, resetStatements } from './testing/statement-shop.ts'

// A manager matches by hand what is left of a statement, and closes the day.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
// Before users log in: sessions have their time.
shop.clock.now = new Date('2026-11-24T12:00:00+06:00')
const { manager, entry, account, upload, day } = await openStatementShop(db, shop)
const others = { sales: await signedIn(shop, 'sales'), viewer: await signedIn(shop, 'viewer'), cashier: await signedIn(shop, 'cashier') }
const owner = await signedIn(shop, 'owner')
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
const rowAt = async (line: number) =>
  (await sql<{ id: number }>`select id from statement_rows where line = ${line} order by id desc limit 1`.execute(db)).rows[0]!.id
const decide = (rowId: number, does: string, body: object, who = manager) =>
  who.post(`/admin/payments/statement-rows/${rowId}/${does}`, body)
const close = (body: object) => manager.post(`/admin/payments/accounts/${id}/close`, { day: ON, note: '', open: 0, ...body })
const audits = async () =>
  (
    await sql<{
      action: string
      subject: string
    }>`select action, subject from audit_log where subject like 'statement%' order by id`.execute(db)
  ).rows.map(({ action, subject }) => `${action} ${subject}`)

describe('by hand', () => {
  it('a row is matched with several entries for a reason, and undone; it is not matched by itself again', async () => {
    const [first, second] = [await entry(500), await entry(480, { at: '2026-11-21T10:00:00+06:00' })]
    await upload(id, bkashFile([[ON, 'BKX0000001', 970]]))
    const row = await rowAt(2)
    const { body } = await manager.get(`/api/admin/payments/statement-rows/${row}/candidates`)
    expect((body as unknown as { entries: { id: number }[] }).entries.map((one) => one.id)).toEqual([first, second])
    expect((await decide(row, 'match', { entries: [first, second, first], reason: 'Fee of ৳10' })).status).toBe(200)
    expect((await day(id, ON, 'matched')).rows?.rows).toMatchObject([
      { match: 'manual', reason: 'Fee of ৳10', entries: [{ id: first }, { id: second }] },
    ])
    expect((await day(id, ON)).day).toMatchObject({ open_rows: 0, open_entries: 0 })
    expect((await decide(row, 'match', { entries: [first], reason: 'Again' })).status).toBe(409)
    expect((await decide(row, 'unmatch', { reason: 'Wrong row' })).status).toBe(200)
    expect((await decide(row, 'unmatch', { reason: 'Wrong row' })).status).toBe(409)
    await entry(970, { reference: 'BKX0000001' })
    expect((await manager.post(`/admin/payments/accounts/${id}/match`, {})).body).toEqual({ matched: 0 })
    expect(await audits()).toEqual([
      'created statement-account',
      'imported statement-account',
      'matched statement-row',
      'unmatched statement-row',
    ])
  })

  it('a row that pays out the card payments of a day is matched with all of them', async () => {
    const card = await account('Card', 'card')
    const ofDay = []
    for (let n = 0; n < 60; n += 1) ofDay.push(await entry(100 + n, { method: 'card' }))
    for (let n = 0; n < 40; n += 1) await entry(900 + n, { method: 'card', at: '2026-11-26T12:00:00+06:00' })
    await upload(card, bkashFile([[ON, '', 7000]]))
    const row = await rowAt(2)
    const { body } = await manager.get(`/api/admin/payments/statement-rows/${row}/candidates`)
    const shown = (body as unknown as { entries: { id: number; amount_poisha: number }[] }).entries
    expect(shown.slice(0, 10).map(({ amount_poisha }) => amount_poisha / 100)).toEqual(Array.from({ length: 10 }, (_, n) => 939 - n))
    expect(shown.slice(10, 70).map(({ id }) => id)).toEqual(ofDay)
    expect((await decide(row, 'match', { entries: ofDay, reason: 'Payout less the fee' })).status).toBe(200)
    expect((await day(card, ON)).day).toMatchObject({ open_rows: 0, open_entries: 0 })
  })

  it('a row without a transaction id may belong to a payment without one', async () => {
    const paid = await entry(500)
    await upload(id, bkashFile([[ON, '', 495]]))
    const { body } = await manager.get(`/api/admin/payments/statement-rows/${await rowAt(2)}/candidates`)
    expect((body as unknown as { entries: { id: number }[] }).entries.map((one) => one.id)).toEqual([paid])
  })

  it('a fee is explained, which is undone in the same way', async () => {
    await upload(id, bkashFile([[ON, '', -15, 'Charge']]))
    const row = await rowAt(2)
    expect((await decide(row, 'explain', { reason: 'Monthly fee' })).status).toBe(200)
    expect((await day(id, ON, 'matched')).rows?.rows).toMatchObject([{ match: 'explained', reason: 'Monthly fee' }])
    expect((await decide(row, 'explain', { reason: 'Twice' })).status).toBe(409)
    expect((await decide(row, 'unmatch', { reason: 'No fee' })).status).toBe(200)
    expect((await day(id, ON, 'statement')).rows?.rows).toMatchObject([{ match: null, reason: null }])
  })

  it('an entry belongs to one row, also when two rows take it at once', async () => {
    const paid = await entry(500)
    const second = await account('Second')
    await upload(id, bkashFile([[ON, 'BKX0000001', 501]]))
    await upload(second, bkashFile([[ON, 'BKX0000002', 502]]))
    const { rows } = await sql<{ id: number }>`select id from statement_rows order by id`.execute(db)
    const answers = await Promise.all(rows.map((row) => decide(row.id, 'match', { entries: [paid], reason: 'Mine' })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(await matches()).toHaveLength(1)
  })

  it.each([
    [{ entries: [], reason: 'x' }, 422],
    [{ entries: [1], reason: '' }, 422],
    [{ entries: [1], reason: 'x'.repeat(256) }, 422],
    [{ entries: ['1'], reason: 'x' }, 422],
    [{ entries: [999_999_999], reason: 'x' }, 409],
    [{ entries: Array.from({ length: 201 }, (_, index) => index + 1), reason: 'x' }, 422],
    [{ reason: 'x' }, 422],
  ])('%j is %i', async (body, status) => {
    await upload(id, bkashFile([[ON, '', 500]]))
    expect((await decide(await rowAt(2), 'match', body)).status).toBe(status)
    expect(await matches()).toEqual([])
  })

  it('an entry of another method is refused, and a row that does not exist is missing', async () => {
    const cash = await entry(500, { method: 'cash' })
    await upload(id, bkashFile([[ON, '', 500]]))
    expect((await decide(await rowAt(2), 'match', { entries: [cash], reason: 'x' })).status).toBe(409)
    for (const does of ['match', 'explain', 'unmatch'])
      expect((await decide(999_999, does, { ...(does === 'match' ? { entries: [cash] } : {}), reason: 'x' })).status).toBe(404)
    expect((await manager.get('/api/admin/payments/statement-rows/999999/candidates')).status).toBe(404)
  })
})

describe('a day', () => {
  it('shows what is on one side only, and is closed with a note', async () => {
    await entry(500, { reference: 'BKX0000001' })
    const onlyBooks = await entry(300, { reference: 'BKX0000002' })
    await upload(
      id,
      bkashFile([
        [ON, 'BKX0000001', 500],
        [ON, 'BKX0000009', 50],
      ]),
    )
    const props = await day(id, ON)
    expect(props.day).toMatchObject({
      rows: 2,
      statement_poisha: 55_000,
      open_rows: 1,
      entries: 2,
      books_poisha: 80_000,
      open_entries: 1,
      closed: null,
    })
    expect(props).toMatchObject({ list: 'statement', rows: { rows: [{ reference: 'BKX0000009' }] } })
    expect((await day(id, ON, 'books')).entries?.rows).toMatchObject([{ id: onlyBooks }])
    const refused = await close({ open: 2 })
    expect([refused.status, refused.body.errors]).toEqual([422, { note: ['Say why rows or payments stay open.'] }])
    expect((await close({ open: 1, note: 'x' })).status).toBe(409)
    expect((await close({ open: 2, note: 'Asked the customer' })).status).toBe(200)
    expect((await close({ open: 2, note: 'Asked the customer' })).status).toBe(409)
    expect((await day(id, ON)).day.closed).toMatchObject({ note: 'Asked the customer' })
  })

  it('that is closed keeps its rows and matches until it is opened again', async () => {
    const paid = await entry(500, { reference: 'BKX0000001' })
    const file = bkashFile([
      [ON, 'BKX0000001', 500],
      ['2026-11-21', 'BKX0000002', 70],
    ])
    await upload(id, file)
    expect((await close({})).status).toBe(200)
    const row = await rowAt(2)
    expect((await decide(row, 'unmatch', { reason: 'x' })).status).toBe(409)
    const late = await upload(
      id,
      bkashFile([
        ['2026-11-21', 'BKX0000003', 1],
        [ON, 'BKX0000004', 80],
      ]),
    )
    expect([late.status, late.body.message]).toEqual([
      409,
      'Line 3 is new, but 20 November 2026 is already reconciled. Open that day again first.',
    ])
    expect((await sql`select 1 from statement_rows`.execute(db)).rows).toHaveLength(2)
    // Rows that are known are accepted.
    expect((await upload(id, file)).status).toBe(200)
    const reopen = (reason: string) => manager.post(`/admin/payments/accounts/${id}/reopen`, { day: ON, reason })
    expect((await reopen('')).status).toBe(422)
    expect((await reopen('A row was missing')).status).toBe(200)
    expect((await reopen('A row was missing')).status).toBe(409)
    expect((await decide(row, 'unmatch', { reason: 'x' })).status).toBe(200)
    expect(await matches()).toEqual([])
    expect(paid).toBeGreaterThan(0)
    expect((await audits()).slice(-4)).toEqual([
      'reconciled statement-account',
      'imported statement-account',
      'reopened statement-account',
      'unmatched statement-row',
    ])
  })

  it('that is closed says that its books have changed since: a sale without network came later', async () => {
    await entry(500, { reference: 'BKX0000001' })
    await upload(id, bkashFile([[ON, 'BKX0000001', 500]]))
    await close({})
    const shown = async () => (await manager.get(`/admin/payments/accounts/${id}/${ON}?lang=en`, { accept: 'text/html' })).text
    expect(await shown()).not.toContain('Changed since')
    await entry(80)
    for (const text of ['Changed since', 'When it was reconciled: books ৳500, 0 open.']) expect(await shown()).toContain(text)
    const days = await manager.get(`/admin/payments/accounts/${id}?from=2026-11-01&to=2026-11-24&lang=en`, { accept: 'text/html' })
    expect(days.text).toContain('Changed since')
  })

  it('that is closed is not changed by another account that finds its own payments', async () => {
    await entry(500, { reference: 'BKX0000001' })
    await entry(80, { reference: 'BKX0000002' })
    await upload(id, bkashFile([[ON, 'BKX0000001', 500]]))
    expect((await close({ open: 1, note: 'Of the second number' })).status).toBe(200)
    await upload(await account('Second'), bkashFile([[ON, 'BKX0000002', 80]]))
    expect((await day(id, ON)).day).toMatchObject({ books_poisha: 50_000, closed: { books_poisha: 58_000 } })
    expect((await manager.get(`/admin/payments/accounts/${id}/${ON}?lang=en`, { accept: 'text/html' })).text).not.toContain('Changed since')
  })

  it('is closed by one of two calls', async () => {
    expect((await Promise.all([close({}), close({})])).map(({ status }) => status).toSorted()).toEqual([200, 409])
  })

  it.each([
    [{ day: '2026-11-25' }, 422],
    [{ day: '2026-02-30' }, 422],
    [{ day: 'x' }, 422],
    [{ open: -1 }, 422],
    [{ open: '0' }, 422],
    [{ note: 'x'.repeat(256) }, 422],
    [{ more: 1 }, 422],
  ])('is not closed with %j', async (body, status) => {
    expect((await close(body)).status).toBe(status)
  })

  it('is in the list of days with its state; entries of another account are not', async () => {
    await entry(500, { reference: 'BKX0000001' })
    await entry(300, { at: '2026-11-21T12:00:00+06:00' })
    const second = await account('Second')
    await upload(second, bkashFile([['2026-11-20', 'BKX0000001', 500]]))
    const page = async (accountId: number) =>
      pageProps<AccountProps>(
        (await manager.get(`/admin/payments/accounts/${accountId}?from=2026-11-01&to=2026-11-24`, { accept: 'text/html' })).text,
      )
    expect((await page(id)).days).toMatchObject([{ day: '2026-11-21', open_entries: 1 }])
    expect((await page(second)).days).toMatchObject([
      { day: '2026-11-21', open_entries: 1 },
      { day: '2026-11-20', rows: 1, open_rows: 0, open_entries: 0 },
    ])
    expect((await page(second)).uploads).toMatchObject([{ file_name: 'statement.csv', row_count: 1, new_count: 1 }])
    const [wrong] = (await page(second)).uploads
    for (let amount = 1; amount <= 6; amount += 1) await upload(second, bkashFile([['2026-11-19', `BKY000000${amount}`, amount]]))
    expect((await page(second)).uploads.at(-1)?.id).toBe(wrong?.id)
  })
})

describe('access', () => {
  it('owner and manager only; a wrong account is missing', async () => {
    const html = { accept: 'text/html' }
    for (const who of Object.values(others)) {
      expect((await upload(id, 'x', BKASH, who)).status).toBe(403)
      expect((await who.get('/admin/payments/accounts', html)).status).toBe(403)
      expect((await who.get(`/admin/payments/accounts/${id}/${ON}`, html)).status).toBe(403)
    }
    expect((await owner.get('/admin/payments/accounts', html)).status).toBe(200)
    expect((await upload(999_999, bkashFile([[ON, '', 5]]))).status).toBe(404)
    for (const path of ['999999', `999999/${ON}`, `${id}/2026-02-30`, `x/${ON}`, `${id}/today`])
      expect((await manager.get(`/admin/payments/accounts/${path}`, html)).status).toBe(404)
    for (const path of ['match', 'close', 'reopen'])
      expect(
        (await manager.post(`/admin/payments/accounts/999999/${path}`, { day: ON, note: '', open: 0, reason: 'x' })).status,
      ).toBeGreaterThan(400)
  })

  it.each([
    [{ name: '', method: 'bkash' }, 'name'],
    [{ name: 'x'.repeat(101), method: 'bkash' }, 'name'],
    [{ name: 'A', method: 'cash' }, 'method'],
    [{ method: 'bkash' }, 'name'],
  ])('an account %j is an error at %s', async (body, field) => {
    const answer = await manager.post('/admin/payments/accounts', body)
    expect([answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([422, [field]])
  })

  it('an account has a name of its own, also when it is added twice at once', async () => {
    const add = () => manager.post('/admin/payments/accounts', { name: 'Twice', method: 'bank' })
    expect((await Promise.all([add(), add()])).map(({ status }) => status).toSorted()).toEqual([200, 422])
  })
})
