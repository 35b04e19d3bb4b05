import path from 'node:path'
import { sql } from 'kysely'
import { DEMO_PASSWORD } from '#db/demo/people.ts'
import { seed } from '#db/seed.ts'
import { uploadsFolder } from '#lib/files/uploads.server.ts'
import { type Db, openDb } from '#lib/db/db.server.ts'
import { startEmbedded } from '#server/embedded-postgres.ts'
import { migrate } from '#server/migrate.ts'
import { startShopProcess } from '#test/shop-process.ts'
import { CONNECTIONS } from './load.ts'

const PRODUCTS = 100_000
const ORDERS = 1_000_000
/** Reused between runs, because filling it takes minutes. */
const DATA_DIR = process.env.ADMIN_BENCH_DIR ?? path.resolve(import.meta.dirname, '../.cache/bench-admin')

/** A running shop with a million orders, a session of its owner, and its database. */
export interface AdminShop {
  url: string
  /** The owner's session, as a `Cookie` header. */
  cookie: string
  db: Db
  /** The shop's process. */
  pid: number
  close(): Promise<void>
}

export async function openAdmin(env: Record<string, string> = {}): Promise<AdminShop> {
  const postgres = await startEmbedded({ dataDir: DATA_DIR, log: console.error })
  await migrate(postgres.url)
  const { db, close } = openDb(postgres.url, { max: CONNECTIONS, statementTimeout: 0 })
  const missing = ORDERS - (await countOrders(db))
  if (missing > 10_000) await seed(postgres.url, { products: PRODUCTS, orders: missing }, uploadsFolder(DATA_DIR), console.error)
  const shop = await startShopProcess({ databaseUrl: postgres.url, dataDir: DATA_DIR, env })
  return {
    url: shop.url,
    cookie: await signIn(shop.url),
    db,
    pid: shop.pid,
    async close() {
      await shop.stop()
      await close()
      await postgres.stop()
    },
  }
}

async function countOrders(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from orders`.execute(db)
  return rows[0]?.count ?? 0
}

/** The session of a member of staff of the demo shop, by default its owner, as a `Cookie` header. */
export async function signIn(url: string, phone = '01711000001'): Promise<string> {
  const token = await csrfToken(url)
  const answer = await fetch(`${url}/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-csrf-token': token },
    body: JSON.stringify({ identifier: phone, password: DEMO_PASSWORD }),
  })
  const cookie = answer.headers.getSetCookie().find((line) => line.startsWith('sid='))
  if (!cookie) throw new Error(`No sign-in: ${answer.status} ${await answer.text()}`)
  return cookie.split(';')[0] ?? ''
}

/** The token of a session, or of a visitor, for writes. */
export async function csrfToken(url: string, cookie = ''): Promise<string> {
  const answer = await fetch(`${url}/csrf-token`, { headers: { cookie } })
  return ((await answer.json()) as { token: string }).token
}

/** Posts JSON to the shop in a session, with its token, and parses the answer; throws on an error. */
export async function jsonPoster(url: string, cookie: string): Promise<(path: string, body?: object) => Promise<Record<string, unknown>>> {
  const token = await csrfToken(url, cookie)
  const headers = { cookie, accept: 'application/json', 'content-type': 'application/json', 'x-csrf-token': token }
  return async (path, body = {}) => {
    const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text.slice(0, 300)}`)
    return JSON.parse(text) as Record<string, unknown>
  }
}
