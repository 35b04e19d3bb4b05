import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { openShop } from '#test/request.ts'

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
afterAll(() => expect(shop.failures).toEqual([]))

const set = async (key: string, value: object) => {
  const row = { key, value: JSON.stringify(value) }
  await db
    .insertInto('settings')
    .values(row)
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: row.value }))
    .execute()
  shop.deps.catalogRevision.advance()
}

it('serves the offline page in both languages with the phone, without scripts and files', async () => {
  await set('shop', { name: { en: '<b>Farm</b>', bn: 'খামার' }, phone: '01700000001' })
  const { status, text, headers } = await shop.get('/offline')
  expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  for (const words of ['No connection', 'ইন্টারনেট সংযোগ নেই', 'href="tel:+8801700000001"', '০১৭০০০০০০০১', '&lt;b&gt;Farm'])
    expect(text).toContain(words)
  expect(text).not.toMatch(/<script|<link|<img|src=/)
  expect(headers['content-security-policy']).toContain("default-src 'none'")
})

it('serves another worker when the phone changes, and the same one otherwise', async () => {
  const read = async () => (await shop.get('/shop-worker.js')).text
  const first = await read()
  expect(await read()).toBe(first)
  expect(() => new Function(first)).not.toThrow()
  await set('shop', { phone: '01700000002' })
  expect(await read()).not.toBe(first)
  const { headers } = await shop.get('/shop-worker.js')
  expect([headers['content-type'], headers['cache-control']]).toEqual(['text/javascript; charset=utf-8', 'no-cache'])
})

it.each([
  ['rejects', () => Promise.reject(new Error('no network'))],
  ['is an error, as in Firefox', () => Promise.resolve(Response.error())],
])('the worker shows the offline page when the preload %s', async (_name, preload) => {
  const listeners = new Map<string, (event: object) => void>()
  const worker = {
    addEventListener: (type: string, listener: (event: object) => void) => listeners.set(type, listener),
    fetch: () => Promise.reject(new Error('no network')),
    caches: { match: async () => new Response('offline page') },
  }
  new Function(...Object.keys(worker), (await shop.get('/shop-worker.js')).text)(...Object.values(worker))
  const answer = await new Promise<Response>((resolve) => {
    const request = { mode: 'navigate', method: 'GET', url: 'http://shop.example/fruits' }
    listeners.get('fetch')!({ request, preloadResponse: preload(), respondWith: resolve })
  })
  expect(await answer.text()).toBe('offline page')
})

it('serves both while the shop is closed or has no phone', async () => {
  await sql`delete from settings where key = 'shop'`.execute(db)
  await set('opening', { isOpen: false, opensOn: '' })
  expect((await shop.get('/', { accept: 'text/html' })).status).toBe(503)
  expect((await shop.get('/shop-worker.js')).status).toBe(200)
  expect((await shop.get('/offline')).text).not.toContain('tel:')
})

it('makes the shop installable', async () => {
  const manifest = JSON.parse((await shop.get('/manifest.webmanifest')).text) as object
  expect(manifest).toMatchObject({ id: '/', start_url: '/', scope: '/', display: 'standalone' })
})
