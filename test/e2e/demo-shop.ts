import pg from 'pg'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import type { Lang } from '#lib/i18n/lang.ts'
import { type Shop, startShop } from '../server.ts'
import { openPage, type OpenPage, sharedBrowser } from './browser.ts'
import { signIn } from './sign-in.ts'

// The demo shop of the running test file, its database, and a browser.

export let shop: Shop
export let browser: Browser
export let database: pg.Client

/** Starts a demo shop with its own database before the first test of the calling file, and stops it after the last one. */
export function useDemoShop(): void {
  beforeAll(async () => {
    ;[shop, browser] = await Promise.all([startShop({ demo: true }), sharedBrowser()])
    database = new pg.Client({ connectionString: shop.databaseUrl })
    await database.connect()
  })
  afterAll(async () => {
    await database?.end()
    await shop?.stop()
  })
}

/** A page with a member of staff signed in. */
export async function admin(who: string, { lang = 'en', width = 1280 }: { lang?: Lang; width?: 390 | 1280 } = {}): Promise<OpenPage> {
  const opened = await openPage(browser, { baseUrl: shop.url, lang, width })
  await signIn(opened.page, who)
  return opened
}
