import { afterAll, expect, it } from 'vitest'
import { signedIn } from '#features/orders/testing/admin-shop.ts'
import { testDb } from '#test/db.ts'
import { openShop } from '#test/request.ts'

// Addresses of an earlier release: in bookmarks, and in POS pages that were opened before an upgrade.

const { url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const cashier = await signedIn(shop, 'cashier')
afterAll(() => expect(shop.failures).toEqual([]))

const POS = '/admin/quick-orders'

it.each([
  ['return-slip/7?print=1&lang=bn', 'return-receipts/7?print=1&lang=bn'],
  ['account-slip/12', 'account-receipts/12'],
  ['day-paper?day=2026-11-20&paper=a4', 'day-report?day=2026-11-20&paper=a4'],
  ['return?slip=9%20%26x', 'return?receipt=9%20%26x'],
  ['return?slip=', 'return?receipt='],
])('%s is now %s', async (old, present) => {
  const { status, headers } = await cashier.get(`${POS}/${old}`, { accept: 'text/html' })
  expect([status, headers.location]).toEqual([308, `${POS}/${present}`])
})

it('a visitor who is not signed in is asked to, and then gets the page', async () => {
  const old = await shop.get(`${POS}/return-slip/7`, { accept: 'text/html' })
  const { status, headers } = await shop.get(String(old.headers.location), { accept: 'text/html' })
  expect([status, headers.location]).toEqual([303, `/login?next=${encodeURIComponent(`${POS}/return-receipts/7`)}`])
})

it.each(['return-slip/x', 'return-slip/7/more', 'constructor', 'toString/1'])('%s is no page', async (path) => {
  expect((await cashier.get(`${POS}/${path}`, { accept: 'text/html' })).status).toBe(404)
})

it('a form of an earlier release is not sent elsewhere', async () => {
  expect((await cashier.post(`${POS}/return-slip/7`, {})).status).toBe(404)
})
