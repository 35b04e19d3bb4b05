import pg from 'pg'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { type Shop, startShop } from '../server.ts'
import { launchBrowser } from './browser.ts'

// The demo shop of a test file, a browser for it, and its database: there from the first test of the file that imports this to its last.

export let shop: Shop
export let browser: Browser
export let database: pg.Client

beforeAll(async () => {
  ;[shop, browser] = await Promise.all([startShop({ demo: true }), launchBrowser()])
  database = new pg.Client({ connectionString: shop.databaseUrl })
  await database.connect()
})
afterAll(async () => {
  await database?.end()
  await browser?.close()
  await shop?.stop()
})
