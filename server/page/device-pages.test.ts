import { expect, it } from 'vitest'
import { signedIn } from '#features/orders/testing/admin-shop.ts'
import { testDb } from '#test/db.ts'
import { openShop } from '#test/request.ts'

const { url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const cashier = await signedIn(shop, 'cashier')

it.each([
  ['/admin/quick-orders', true],
  ['/admin/quick-orders/display', false],
  ['/admin/quick-orders/shifts', false],
  ['/admin/products', false],
  ['/', false],
])('%s may use serial and USB ports: %s', async (path, isAllowed) => {
  const { status, headers } = await cashier.get(path)
  const allowed = isAllowed ? '(self)' : '()'
  expect([status, headers['permissions-policy']]).toEqual([200, expect.stringContaining(`serial=${allowed}, usb=${allowed}`)])
})
