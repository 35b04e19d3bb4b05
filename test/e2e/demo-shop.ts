import pg from 'pg'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import type { Lang } from '#lib/i18n/lang.ts'
import { type Shop, startShop } from '../server.ts'
import { launchBrowser, openPage, type OpenPage } from './browser.ts'
import { signIn } from './sign-in.ts'

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

/** A page of somebody of the staff, who has signed in. */
export async function admin(who: string, { lang = 'en', width = 1280 }: { lang?: Lang; width?: 390 | 1280 } = {}): Promise<OpenPage> {
  const opened = await openPage(browser, { baseUrl: shop.url, lang, width })
  await signIn(opened.page, who)
  return opened
}
