import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Db } from '#lib/db/db.server.ts'
import { openShop, type TestShop } from './request.ts'

/** A shop that limits requests and attempts, none of which are counted yet. Its clean-up, for `beforeEach`, fails on unexpected errors. */
export async function openLimitedShop(db: Db, databaseUrl: string): Promise<[shop: TestShop, close: () => Promise<void>]> {
  await sql`truncate attempt_counts`.execute(db)
  const shop = await openShop({ databaseUrl, rateLimit: true })
  const close = async () => {
    expect(shop.failures).toEqual([])
    await shop.close()
  }
  return [shop, close]
}

/** The same shop behind a proxy on this machine, whose visitors have the addresses that it forwards. */
export const openLimitedBehindProxy = (databaseUrl: string): Promise<TestShop> =>
  openShop({ databaseUrl, rateLimit: true, trustProxy: '127.0.0.1' })
