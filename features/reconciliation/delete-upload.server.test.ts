import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { signedIn } from '#features/orders/testing/admin-shop.ts'
import { expectInvariants } from '#test/invariants.ts'
import { testDb } from '#test/db.ts'
import { pageProps } from '#test/page-props.ts'
import { openShop } from '#test/request.ts'
import type { Props as AccountProps } from '#site/admin/payments/account.page.tsx'
import { BKASH, bkashFile, listMatches, openStatementShop, resetStatements } from './testing/statement-shop.ts'

// An upload with the wrong columns, or to the wrong account, is taken back.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
shop.clock.now = new Date('2026-11-24T12:00:00+06:00')
const { manager, entry, account, upload, day } = await openStatementShop(db, shop)
const sales = await signedIn(shop, 'sales')
afterAll(async () => {
  await expectInvariants(db)
  expect(shop.failures).toEqual([])
})

let id: number
beforeEach(async () => {
  await resetStatements(db)
  id = await account('bKash')
})

const ON = '2026-11-20'
const file = bkashFile([
  [ON, 'BKX0000001', 500, 'Rahim'],
  [ON, 'BKX0000002', 300, 'Karim'],
])
const uploads = async () =>
  pageProps<AccountProps>((await manager.get(`/admin/payments/accounts/${id}`, { accept: 'text/html' })).text).uploads
const remove = async (uploadId: number, who = manager, accountId = id) =>
  who.send('DELETE', `/admin/payments/accounts/${accountId}/uploads/${uploadId}`, undefined, {
    headers: { 'x-csrf-token': await who.token(), accept: 'application/json' },
  })
const rowIds = async () => (await sql<{ id: number }>`select id from statement_rows order by id`.execute(db)).rows.map((row) => row.id)

describe('an upload', () => {
  it('with another column of the id adds its rows again; deleted, the others are matched with their payments', async () => {
    const paid = await entry(500, { reference: 'BKX0000001' })
    await upload(id, file, { ...BKASH, reference: 'From', details: null })
    await upload(id, file)
    expect((await day(id, ON)).day).toMatchObject({ rows: 4, statement_poisha: 160_000 })
    const [right, wrong] = await uploads()
    expect((await remove(wrong!.id)).status).toBe(200)
    expect((await day(id, ON)).day).toMatchObject({ rows: 2, statement_poisha: 80_000, open_rows: 1, open_entries: 0 })
    expect(await listMatches(db)).toEqual([[2, paid, 'reference']])
    expect((await uploads()).map((one) => one.id)).toEqual([right!.id])
    const { rows } = await sql`select action, subject, before from audit_log where action = 'deleted'`.execute(db)
    expect(rows).toEqual([{ action: 'deleted', subject: 'statement-account', before: { file: 'statement.csv', rows: 2 } }])
    // The rows are new again.
    expect((await remove(right!.id)).status).toBe(200)
    expect((await upload(id, file)).body).toMatchObject({ added: 2, matched: 1 })
  })

  it('with a decision of a person, or on a closed day, stays', async () => {
    await upload(id, file)
    const [one] = await uploads()
    const [row] = await rowIds()
    const decide = (does: string) => manager.post(`/admin/payments/statement-rows/${row}/${does}`, { reason: 'Fee' })
    expect((await decide('explain')).status).toBe(200)
    expect(await remove(one!.id)).toMatchObject({ status: 409, body: { message: expect.stringMatching(/by hand/) } })
    expect((await decide('unmatch')).status).toBe(200)
    const closing = { day: ON, note: 'Later', open: 2 }
    expect((await manager.post(`/admin/payments/accounts/${id}/close`, closing)).status).toBe(200)
    expect(await remove(one!.id)).toMatchObject({ status: 409, body: { message: expect.stringMatching(/reconciled/) } })
    expect(await rowIds()).toHaveLength(2)
  })

  it('of another account, deleted before, or without the permission is refused', async () => {
    await upload(id, file)
    const [one] = await uploads()
    expect((await remove(one!.id, sales)).status).toBe(403)
    expect((await remove(one!.id, manager, await account('Second'))).status).toBe(404)
    const [row] = await rowIds()
    const [removed, decided] = await Promise.all([
      remove(one!.id),
      manager.post(`/admin/payments/statement-rows/${row}/explain`, { reason: 'Fee' }),
    ])
    expect([[200, 404].join(), [409, 200].join()]).toContain([removed.status, decided.status].join())
    expect((await remove(999_999)).status).toBe(404)
  })
})
