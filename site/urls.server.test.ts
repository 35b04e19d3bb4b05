import { expect, test } from 'vitest'
import { adminRoutes } from './admin/routes.server.ts'
import { demoPages } from './store/demo/demo-routes.server.ts'
import { storeRoutes } from './store/routes.server.ts'
import { ADMIN_URLS, DEMO_URLS, POS_URLS, STORE_URLS } from './urls.ts'

const pagesByUrl = (routes: { url: string; page: string }[]) => Object.fromEntries(routes.map(({ url, page }) => [url, page]))

test('the list names every page of the storefront and of the demo shop, and no other', () => {
  expect(STORE_URLS).toEqual(pagesByUrl(storeRoutes))
  expect(DEMO_URLS).toEqual(pagesByUrl(demoPages))
})

test('the list names every page of the admin and the POS with its permission, and no other', () => {
  const registered = Object.fromEntries(adminRoutes.map(({ url, page, permission }) => [url, { page, permission }]))
  expect({ ...ADMIN_URLS, ...POS_URLS }).toEqual(registered)
  expect(Object.values(POS_URLS).every(({ page }) => page.startsWith('pos/'))).toBe(true)
})

test('no URL stands in the list twice', () => {
  const urls = [STORE_URLS, DEMO_URLS, ADMIN_URLS, POS_URLS].flatMap((list) => Object.keys(list))
  expect(new Set(urls).size).toBe(urls.length)
})
