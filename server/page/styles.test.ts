import { afterAll, expect, it } from 'vitest'
import { signedIn } from '#features/orders/testing/admin-shop.ts'
import { testDb } from '#test/db.ts'
import { openShop } from '#test/request.ts'

const { url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const clerk = await signedIn(shop, 'owner')
afterAll(() => expect(shop.failures).toEqual([]))

const sheetsOf = (text: string) => [...text.matchAll(/<link rel="stylesheet" href="([^"]+)"/g)].map(([, href]) => href!)
const styleSource = (headers: Record<string, unknown>) => /style-src ([^;]+);/.exec(String(headers['content-security-policy']))?.[1]

it('a page of the shop carries its style, and its policy lets exactly that one pass', async () => {
  const { text, headers } = await shop.get('/fruits')
  expect(text).toMatch(/<style>[^<]{10000}/)
  expect(sheetsOf(text)).toEqual([])
  expect(styleSource(headers)).toMatch(/^'self' 'sha256-[\w+/]{43}='$/)
})

it.each(['/fruits', '/cart'])('%s is left alone by translators, who keep sums and quantities from changing', async (path) => {
  const { text } = await shop.get(path)
  expect(text).toContain('<html lang="en" translate="no">')
  expect(text).toContain('<meta name="google" content="notranslate">')
})

it.each(['/admin', '/admin/orders', '/admin/orders/create', '/admin/quick-orders', '/admin/products'])(
  '%s links the style of the admin, which a browser keeps for good',
  async (path) => {
    const { text, headers } = await clerk.get(path)
    expect(text).not.toContain('<style')
    expect(styleSource(headers)).toBe("'self'")
    // The shared sheet. The POS and print views link another one with their page sizes.
    const answer = await clerk.get(sheetsOf(text).find((sheet) => sheet.includes('shared')) ?? '')
    expect(answer.text).toContain('.admin-table')
    expect(answer.headers['cache-control']).toBe('public, max-age=31536000, immutable')
  },
)

it('print views link page rules of their own', async () => {
  expect(sheetsOf((await clerk.get('/admin/labels')).text).length).toBeGreaterThan(1)
})

it('what no browser may keep has no tag to ask by', async () => {
  const { headers } = await clerk.get('/admin/orders')
  expect([headers['cache-control'], headers.etag]).toEqual(['no-store, no-transform', undefined])
  expect((await shop.get('/fruits')).headers.etag).toMatch(/^"/)
})
