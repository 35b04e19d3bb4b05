import { expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { openShop } from '#test/request.ts'
import { decodableUrl } from './malformed-url.ts'

const { url } = await testDb()
const shop = await openShop({ databaseUrl: url })

/** Half a Bengali letter, as of a link that a chat program has cut off. */
const CUT_OFF = '%E0%A6'

it.each([
  `/${CUT_OFF}`,
  `/category/${CUT_OFF}`,
  `/category/x${CUT_OFF}?a=${CUT_OFF}`,
  '/50%',
  '/%zz',
  '/a;%zz',
  `/track/${CUT_OFF}`,
  `/uploads/${CUT_OFF}`,
  `/assets/%c0%af..`,
])('a link that cannot be decoded is a page that is not there: %s', async (path) => {
  const page = await shop.get(path, { accept: 'text/html', cookie: 'lang=en' })
  expect([page.status, page.headers['content-type'], page.headers['x-content-type-options']]).toEqual([
    404,
    'text/html; charset=utf-8',
    'nosniff',
  ])
  expect(page.text).toContain('lang="en"')
  const call = await shop.get(path, { accept: 'application/json' })
  expect([call.status, call.body]).toEqual([404, { message: 'Not found.', error: 'Not found.' }])
})

it('an address of the admin that cannot be decoded is found by nobody', async () => {
  for (const path of [`/admin/orders/update/${CUT_OFF}`, `/api/admin/${CUT_OFF}`])
    expect([303, 401, 404]).toContain((await shop.get(path, { accept: 'text/html' })).status)
  expect((await shop.post(`/customer-orders/${CUT_OFF}`)).status).toBe(404)
})

it('other addresses stay as they are', () => {
  for (const path of ['/', '/search?q=%E0%A6', '/category/%E0%A6%86%E0%A6%AE?a=%', '/a%2Fb', '/100%25'])
    expect(decodableUrl(path)).toBe(path)
  expect(decodableUrl('/50%?q=%E0%A6')).toBe('/50%25?q=%E0%A6')
})
