import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { startEmbedded } from '#server/embedded-postgres.ts'
import { cloneDatabase, dropDatabase, withDatabase } from '#test/clone.ts'
import { type ShopProcess, startShopProcess } from '#test/shop-process.ts'
import { childrenOf } from '#test/own-postgres.ts'
import { cpuSeconds } from './compare.ts'
import { fillProducts } from './products-rows.ts'

const ROOT = path.resolve(import.meta.dirname, '..')
const DATA_DIR = path.join(ROOT, '.cache/bench')
/** The data folder of the shop: pictures, secret. */
const SHOP_DIR = path.join(DATA_DIR, 'shop')

/** The PostgreSQL of the measurements, configured as a shop's own (fsync on) and reused between runs. */
export interface Bench {
  /** The URL of a database with the demo shop and a number of further products; it is created if it is missing. */
  database(products: number): Promise<string>
  /** A copy of such a database for a run that writes. */
  copy(products: number): Promise<string>
  /** The CPU time of the server and its connections so far (Linux). */
  cpuSeconds(): number
  close(): Promise<void>
}

export async function openBench(): Promise<Bench> {
  mkdirSync(SHOP_DIR, { recursive: true })
  const postgres = await startEmbedded({ dataDir: DATA_DIR, log: console.error })
  const sources = sourcesHash()
  await dropOld(postgres.url, sources)
  const copies: string[] = []

  const database = async (products: number): Promise<string> => {
    const name = `bench_${sources}_${products}`
    const url = withDatabase(postgres.url, name)
    if (await exists(postgres.url, name)) return url
    const draft = `${name}_draft`
    if (products === 0) {
      await cloneDatabase(postgres.url, draft, 'template1')
      await fillDemo(withDatabase(postgres.url, draft))
    } else {
      await database(0)
      await cloneDatabase(postgres.url, draft, `bench_${sources}_0`)
      await fillProducts(withDatabase(postgres.url, draft), products)
    }
    await run(postgres.url, `alter database "${draft}" rename to "${name}"`)
    return url
  }
  return {
    database,
    async copy(products) {
      await database(products)
      const name = `bench_${sources}_copy_${copies.length}`
      copies.push(name)
      await dropDatabase(postgres.url, name)
      await cloneDatabase(postgres.url, name, `bench_${sources}_${products}`)
      return withDatabase(postgres.url, name)
    },
    cpuSeconds: postgresCpuSeconds,
    async close() {
      for (const name of copies) await dropDatabase(postgres.url, name)
      await postgres.stop()
    },
  }
}

function postgresCpuSeconds(): number {
  const postmaster = Number(readFileSync(path.join(DATA_DIR, 'postgres/postmaster.pid'), 'utf8').split('\n')[0])
  return [postmaster, ...childrenOf(postmaster)].reduce((sum, pid) => sum + (cpuSeconds(pid) ?? 0), 0)
}

/** The shop as one process on this database, without rate limits, with the memory settings of `ops/khamar.service`. */
export function openShop(databaseUrl: string, env: Record<string, string> = {}): Promise<ShopProcess> {
  return startShopProcess({ databaseUrl, dataDir: SHOP_DIR, env: { MALLOC_ARENA_MAX: '2', ...env } })
}

async function fillDemo(url: string): Promise<void> {
  console.error('Setting up the demo shop…')
  const shop = await openShop(url, { DEMO: 'on' })
  await shop.stop()
  await run(url, 'vacuum analyze')
}

/** Part of the names of databases: the migrations and rows that filled them. */
function sourcesHash(): string {
  const hash = createHash('sha256')
  const folder = path.join(ROOT, 'db/migrations')
  for (const file of readdirSync(folder).sort()) hash.update(readFileSync(path.join(folder, file)))
  hash.update(readFileSync(path.join(import.meta.dirname, 'products-rows.ts')))
  return hash.digest('hex').slice(0, 8)
}

/** Drops databases of other sources, and copies of runs that were interrupted. */
async function dropOld(url: string, sources: string): Promise<void> {
  const { rows } = await run<{ datname: string }>(url, `select datname from pg_database where datname like 'bench\\_%'`)
  for (const { datname } of rows) {
    if (!datname.startsWith(`bench_${sources}_`) || /_(copy|draft)/.test(datname)) await dropDatabase(url, datname)
  }
}

async function exists(url: string, name: string): Promise<boolean> {
  return (await run(url, `select 1 from pg_database where datname = '${name}'`)).rowCount === 1
}

export async function run<Row extends pg.QueryResultRow>(
  url: string,
  statement: string,
  values: unknown[] = [],
): Promise<pg.QueryResult<Row>> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await client.query<Row>(statement, values)
  } finally {
    await client.end()
  }
}
