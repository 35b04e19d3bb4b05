import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { signedIn } from '#features/orders/testing/admin-shop.ts'
import { testDb } from '#test/db.ts'
import { openShop } from '#test/request.ts'
import { bkashFile, openStatementShop, resetStatements } from './testing/statement-shop.ts'

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
shop.clock.now = new Date('2026-11-24T12:00:00+06:00')
const { manager, account, upload } = await openStatementShop(db, shop)
const sales = await signedIn(shop, 'sales')
afterAll(() => expect(shop.failures).toEqual([]))

const ON = '2026-11-20'
let id: number
beforeEach(async () => {
  await resetStatements(db)
  id = await account('bKash')
})

const rename = (name: string, who = manager, previous = 'bKash') => who.post(`/admin/payments/accounts/${id}`, { name, previous })
const remove = async (who = manager, accountId = id) =>
  who.send('DELETE', `/admin/payments/accounts/${accountId}`, undefined, {
    headers: { 'x-csrf-token': await who.token(), accept: 'application/json' },
  })
const names = async () =>
  (await sql<{ name: string }>`select name from statement_accounts order by id`.execute(db)).rows.map(({ name }) => name)
const lastAudit = async () => {
  const { rows } =
    await sql`select action, before, after from audit_log where subject = 'statement-account' order by id desc limit 1`.execute(db)
  return rows[0]
}

describe('an account', () => {
  it('is renamed, with its statements', async () => {
    await upload(id, bkashFile([[ON, 'BKX0000001', 500]]))
    expect((await rename(' bKash merchant ')).status).toBe(200)
    expect(await names()).toEqual(['bKash merchant'])
    expect(await lastAudit()).toEqual({ action: 'changed', before: { name: 'bKash' }, after: { name: 'bKash merchant' } })
  })

  it('with a new name of another person is not renamed over it', async () => {
    expect((await rename('bKash merchant')).status).toBe(200)
    expect(await rename('bKash agent')).toMatchObject({ status: 409, body: { name: 'bKash merchant' } })
    expect((await rename('bKash merchant')).status).toBe(200)
    expect((await rename('bKash agent', manager, 'bKash merchant')).status).toBe(200)
    expect(await names()).toEqual(['bKash agent'])
  })

  it('keeps a name of its own', async () => {
    await account('Nagad', 'nagad')
    expect(await rename('Nagad')).toMatchObject({ status: 422, body: { errors: { name: ['Another account has this name.'] } } })
    expect((await rename('bKash')).status).toBe(200)
    for (const name of ['', '  ', 'x'.repeat(101)])
      expect(await rename(name)).toMatchObject({ status: 422, body: { errors: { name: [expect.any(String)] } } })
    expect(await names()).toEqual(['bKash', 'Nagad'])
  })

  it('without statements and reconciled days is deleted', async () => {
    expect((await remove()).status).toBe(200)
    expect(await names()).toEqual([])
    expect(await lastAudit()).toEqual({ action: 'deleted', before: { name: 'bKash', method: 'bkash' }, after: null })
    expect((await remove()).status).toBe(404)
    expect((await rename('Late')).status).toBe(404)
  })

  it('with a statement or a reconciled day stays', async () => {
    await upload(id, bkashFile([[ON, 'BKX0000001', 500]]))
    expect(await remove()).toMatchObject({ status: 409, body: { message: expect.stringMatching(/has statements/) } })
    const bank = await account('Bank', 'bank')
    expect((await manager.post(`/admin/payments/accounts/${bank}/close`, { day: ON, note: '', open: 0 })).status).toBe(200)
    expect((await remove(manager, bank)).status).toBe(409)
    expect(await names()).toEqual(['bKash', 'Bank'])
  })

  it('is deleted while its statement arrives: one of the two fails', async () => {
    const [deleted, imported] = await Promise.all([remove(), upload(id, bkashFile([[ON, 'BKX0000001', 500]]))])
    expect([[200, 404].join(), [409, 200].join()]).toContain([deleted.status, imported.status].join())
  })

  it('is changed by owner and manager only', async () => {
    expect((await rename('Mine', sales)).status).toBe(403)
    expect((await remove(sales)).status).toBe(403)
    expect(await names()).toEqual(['bKash'])
  })
})
