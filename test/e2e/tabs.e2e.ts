import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sharedBrowser } from './browser.ts'
import { type EmptyTab, emptyTab } from './tabs.ts'

const site = createServer((request, response) => {
  response.setHeader('content-type', request.url === '/worker.js' ? 'text/javascript' : 'text/html')
  response.end(request.url === '/worker.js' ? 'onfetch = () => {}' : '<!doctype html><title>site</title>')
})
let baseURL = ''
beforeAll(async () => {
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  baseURL = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
})
afterAll(() => void site.close())

const viewport = { width: 390, height: 844 }
const openTab = async (): Promise<EmptyTab> => emptyTab(await sharedBrowser(), { baseURL, viewport })

/** Runs in the page: what it has stored. */
async function stored() {
  const registrations = await navigator.serviceWorker.getRegistrations()
  const databases = await indexedDB.databases()
  const { length } = history
  return [
    document.cookie,
    localStorage.length,
    sessionStorage.length,
    databases.length,
    (await caches.keys()).length,
    registrations.length,
    length,
  ]
}

/** Runs in the page. */
async function storeEverywhere() {
  document.cookie = 'a=1'
  localStorage.setItem('a', '1')
  sessionStorage.setItem('a', '1')
  // Written as the page goes away, as drafts are.
  addEventListener('pagehide', () => (localStorage.setItem('b', '1'), sessionStorage.setItem('b', '1')))
  await caches.open('a')
  await navigator.serviceWorker.register('/worker.js')
  await new Promise<void>((resolve) => {
    const opening = indexedDB.open('a', 1)
    opening.onsuccess = () => resolve()
  })
}

it('a tab that was used is empty for the next test: storage, workers, history, routes, listeners, other tabs, size', async () => {
  const first = await openTab()
  const { page, context } = first
  await page.goto('/one')
  const before = await page.evaluate(stored)
  await page.evaluate(storeEverywhere)
  await page.goto('/two')
  expect(await page.evaluate(stored)).toEqual(['a=1', 2, 2, 1, 1, 1, expect.any(Number)])
  let heard = 0
  page.on('request', () => (heard += 1))
  context.on('request', () => (heard += 1))
  await context.route('**/*', (route) => route.abort())
  await page.setViewportSize({ width: 1000, height: 500 })
  await context.newPage()
  await context.setOffline(true)
  await first.leave()

  const second = await openTab()
  expect(second.page).toBe(page)
  heard = 0
  await page.goto('/one')
  expect(await page.evaluate(stored)).toEqual(before)
  expect(heard).toBe(0)
  expect(context.pages()).toEqual([page])
  expect(page.viewportSize()).toEqual(viewport)
  await second.leave()
})

it('a tab with what cannot be taken back is not used again', async () => {
  const first = await openTab()
  await first.page.addInitScript('window.a = 1')
  await first.leave()
  const second = await openTab()
  expect(second.page).not.toBe(first.page)
  await second.page.clock.install()
  await second.leave()
  const third = await openTab()
  expect(third.page).not.toBe(second.page)
  await third.leave()
})
