import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { buildPopup, buildProduct } from '#test/factories.ts'
import { pageProps } from '#test/page-props.ts'
import { openShop } from '#test/request.ts'

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url, publicUrl: 'https://shop.example' })
const mango = await buildProduct(db)
afterAll(() => expect(shop.failures).toEqual([]))

describe('/language', () => {
  it.each([
    ['/', '/'],
    ['/beef?page=2', '/beef?page=2'],
    ['/?lang=en', '/'],
    ['/?lang=en&page=2', '/?page=2'],
    ['/?page=2&lang=en', '/?page=2'],
    ['//evil.tld', '/'],
    ['/\\evil.tld', '/'],
    ['https://evil.tld/', '/'],
    ['/\r\nset-cookie: a=b', '/'],
    ['/গরু', '/%E0%A6%97%E0%A6%B0%E0%A7%81'],
  ])('goes on to %j as %s', async (next, target) => {
    const form = await shop.postForm('/language', { lang: 'bn', next })
    expect([form.status, form.headers.location, form.headers['set-cookie']?.[0]?.slice(0, 8)]).toEqual([303, target, 'lang=bn;'])
    const call = await shop.post('/language', { lang: 'bn', next })
    expect([call.status, call.body, call.headers['set-cookie']?.[0]?.slice(0, 8)]).toEqual([200, { next: target }, 'lang=bn;'])
  })
  it('takes only the two languages', async () => {
    const answer = await shop.post('/language', { lang: 'xx; Domain=evil', next: '/' })
    expect([answer.status, answer.headers['set-cookie']]).toEqual([422, undefined])
  })
  it('a browser without script whose token went stale is told so on a page', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html,application/xhtml+xml' }
    const answer = await shop.send('POST', '/language', 'lang=bn&next=%2F&_token=old', { headers })
    expect([answer.status, answer.headers['content-type']]).toEqual([403, 'text/html; charset=utf-8'])
    expect(answer.text).toContain('This page has expired. Reload it and try again.')
  })
})

describe('/mark-popup-shown', () => {
  const popupOn = async (visitor: { get: typeof shop.get }) => {
    const { popup } = pageProps<{ popup: { id: number; shown: string } | null }>((await visitor.get('/', { accept: 'text/html' })).text)
    return popup && [popup.id, popup.shown]
  }

  it('marks this browser and campaign, harmlessly often; a new campaign shows again', async () => {
    const first = await buildPopup(db)
    const [visitor, other] = [shop.visitor(), shop.visitor()]
    await expect.poll(() => popupOn(visitor)).toEqual([first.id, 'false'])
    for (let times = 0; times < 3; times++) expect((await visitor.post('/mark-popup-shown', { shown: true })).status).toBe(200)
    expect([await popupOn(visitor), await popupOn(other)]).toEqual([
      [first.id, 'true'],
      [first.id, 'false'],
    ])

    const second = await buildPopup(db)
    await expect.poll(() => popupOn(visitor)).toEqual([second.id, 'false'])
    await visitor.post('/mark-popup-shown', { shown: 'true' })
    expect(await popupOn(visitor)).toEqual([second.id, 'true'])
  })
  it('marks nothing when told that it was not shown', async () => {
    const answer = await shop.post('/mark-popup-shown', { shown: false })
    expect([answer.status, answer.body, answer.headers['set-cookie']]).toEqual([200, { shown: false }, undefined])
  })
  it('does no harm when there is no campaign', async () => {
    await sql`update popups set active = false`.execute(db)
    const answer = await shop.post('/mark-popup-shown', { shown: true })
    expect([answer.status, answer.headers['set-cookie']]).toEqual([200, undefined])
  })
})

describe('headers that lie', () => {
  it('Host and X-Forwarded-Host do not reach links', async () => {
    const headers = { accept: 'text/html', host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'gopher' }
    for (const path of [
      '/',
      '/robots.txt',
      '/sitemap.xml',
      '/sitemap-pages.xml',
      '/sitemap-products-1.xml',
      '/api/docs',
      `/product/${mango.id}`,
    ]) {
      const answer = await shop.get(path, headers)
      expect(answer.text, path).not.toContain('evil.example')
      expect(answer.status, path).toBe(200)
    }
    expect((await shop.get('/', headers)).text).toContain('<link rel="canonical" href="https://shop.example/')
  })
  it('cookies are for https when the shop is', async () => {
    const answer = await shop.post('/language', { lang: 'en', next: '/' })
    expect(answer.headers['set-cookie']?.[0]).toMatch(/; Secure/)
    expect(answer.headers['strict-transport-security']).toMatch(/max-age=\d{8}/)
  })
})

it('gives its plugins a minute to start: a start beside much other work takes its time', () => {
  expect(shop.app.initialConfig.pluginTimeout).toBe(60_000)
})
