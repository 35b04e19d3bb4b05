import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { DAY_MS } from '#lib/format/time.ts'
import { ensurePages } from '#scripts/setup/pages.mjs'
import { startEmbedded } from '#server/embedded-postgres.ts'
import { migrate } from '#server/migrate.ts'
import { cloneDatabase, DEMO_TEMPLATE, NEW_SHOP_TEMPLATE, TEMPLATE, withDatabase } from './clone.ts'
import { startShopProcess } from './shop-process.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of what the tests of a run share: `/cluster`, `/pages`, `/demo`, `/data-folder`. Each is made by its first request. */
    shared: string
  }
}

// Nothing here outlives the run, so nothing needs to reach the disk.
const FAST = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '200',
  shared_buffers: '128MB',
  max_wal_size: '2GB',
}

/** Vitest calls this once per project and runs all tests in between; the projects share everything. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const shared = sharedThings()
  shared.users += 1
  project.provide('shared', await shared.address)
  return async () => {
    shared.users -= 1
    if (shared.users === 0) await shared.close()
  }
}

type Shared = { users: number; address: Promise<string>; close(): Promise<void> }

const KEY = Symbol.for('khamar.shared')

// The projects load this file each for itself, so what they share hangs on the process.
function sharedThings(): Shared {
  const holder = globalThis as { [KEY]?: Shared }
  holder[KEY] ??= serveOnDemand(() => delete holder[KEY])
  return holder[KEY]
}

function serveOnDemand(onClose: () => void): Shared {
  const cleanups: (() => Promise<unknown>)[] = []
  const atEnd = (cleanup: () => Promise<unknown>) => void cleanups.push(cleanup)
  const cluster = once(() => startCluster(atEnd))
  const pages = once(async () => ensurePages(process.execPath).then(() => 'built'))
  const things: Record<string, () => Promise<string>> = {
    '/cluster': cluster,
    '/pages': pages,
    '/demo': once(async () => seedDemoShop(await cluster(), atEnd)),
    '/data-folder': once(() => pages().then(() => makeDataFolder(atEnd))),
  }
  const server = createServer((request, response) => {
    const thing = things[request.url ?? ''] ?? (() => Promise.reject(new Error(`There is no ${request.url}.`)))
    thing().then(
      (text) => response.end(text),
      (error) => response.writeHead(500).end(String(error?.stack ?? error)),
    )
  })
  return {
    users: 0,
    address: listen(server),
    async close() {
      onClose()
      server.closeAllConnections()
      server.close()
      for (const cleanup of cleanups.reverse()) await cleanup()
    },
  }
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => (made ??= make())
}

/** One PostgreSQL for the whole run, with a template database that has every migration. */
async function startCluster(atEnd: (cleanup: () => Promise<unknown>) => void): Promise<string> {
  await removeAbandonedFolders()
  const dataDir = await newFolder(atEnd)
  const postgres = await startEmbedded({ dataDir, log: () => {}, settings: FAST })
  atEnd(() => postgres.stop())
  await makeSignInCheap(postgres.url)
  await cloneDatabase(postgres.url, NEW_SHOP_TEMPLATE, 'template1')
  await migrate(withDatabase(postgres.url, NEW_SHOP_TEMPLATE))
  await cloneDatabase(postgres.url, TEMPLATE, NEW_SHOP_TEMPLATE)
  await openAndEmpty(withDatabase(postgres.url, TEMPLATE))
  return postgres.url
}

/** Stores the role's password with one round of hashing: with 4,096 each connection costs its test some milliseconds. */
async function makeSignInCheap(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(`set scram_iterations = 1; alter role current_user password ${client.escapeLiteral(new URL(url).password)}`)
  } finally {
    await client.end()
  }
}

/** A shop without the row is open. The ids of areas begin at 1 again. */
async function openAndEmpty(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(`delete from settings where key = 'opening'; truncate areas, area_charges, policy_pages restart identity cascade`)
  } finally {
    await client.end()
  }
}

/** A template database with the demo shop, and the data folder with its pictures, made as a first start makes them. */
async function seedDemoShop(adminUrl: string, atEnd: (cleanup: () => Promise<unknown>) => void): Promise<string> {
  const dataDir = await newFolder(atEnd)
  await cloneDatabase(adminUrl, DEMO_TEMPLATE, NEW_SHOP_TEMPLATE)
  const shop = await startShopProcess({ databaseUrl: withDatabase(adminUrl, DEMO_TEMPLATE), dataDir, env: { DEMO: 'on' } })
  await shop.stop()
  return dataDir
}

/** The data folder of a new shop after its first start, stopped: its database is created and migrated. Tests copy it. */
async function makeDataFolder(atEnd: (cleanup: () => Promise<unknown>) => void): Promise<string> {
  const dataDir = await newFolder(atEnd)
  await (await startShopProcess({ dataDir })).stop()
  return dataDir
}

/** Folders that tests and scripts make. Copies of PostgreSQL's programs (`server/embedded/binaries.ts`) are used again. */
const TEMPORARY_FOLDER = /^khamar-(?!postgres-)[a-z-]+-\w{6}$/

/** Runs that were killed could not clean up after themselves. */
async function removeAbandonedFolders(): Promise<void> {
  const yesterday = Date.now() - DAY_MS
  for (const name of await readdir(tmpdir())) {
    if (!TEMPORARY_FOLDER.test(name)) continue
    const folder = path.join(tmpdir(), name)
    const { mtimeMs = yesterday } = await stat(folder).catch(() => ({ mtimeMs: undefined }))
    if (mtimeMs < yesterday) await rm(folder, { recursive: true, force: true })
  }
}

async function newFolder(atEnd: (cleanup: () => Promise<unknown>) => void): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'khamar-test-'))
  atEnd(() => rm(folder, { recursive: true, force: true }))
  return folder
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  server.unref()
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
