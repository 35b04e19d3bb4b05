import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TestProject } from 'vitest/node'
import { migrate } from '#server/migrate.ts'
import { startEmbedded, type EmbeddedPostgres } from '#server/embedded-postgres.ts'
import { cloneDatabase, TEMPLATE, withDatabase } from './clone.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Asked for the address of the test cluster; the first question starts it. */
    testCluster: string
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

/**
 * One PostgreSQL for the whole run, started only when a test asks for it, with a template database that has every
 * migration. Vitest calls this once per project; the projects share the cluster.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const shared = sharedCluster()
  shared.users += 1
  project.provide('testCluster', await shared.address)
  return async () => {
    shared.users -= 1
    if (shared.users === 0) await shared.close()
  }
}

type Shared = { users: number; address: Promise<string>; close(): Promise<void> }

const KEY = Symbol.for('khamar.testCluster')

function sharedCluster(): Shared {
  const holder = globalThis as { [KEY]?: Shared }
  holder[KEY] ??= lazyCluster(() => delete holder[KEY])
  return holder[KEY]
}

function lazyCluster(forget: () => void): Shared {
  let starting: Promise<Started> | undefined
  const server = createServer((_request, response) => {
    starting ??= startCluster()
    starting.then(
      ({ postgres }) => response.end(postgres.url),
      (error) => response.writeHead(500).end(String(error?.stack ?? error)),
    )
  })
  return {
    users: 0,
    address: listen(server),
    async close() {
      forget()
      server.closeAllConnections()
      server.close()
      const started = await starting?.catch(() => undefined)
      await started?.postgres.stop()
      if (started) await rm(started.dataDir, { recursive: true, force: true })
    },
  }
}

type Started = { postgres: EmbeddedPostgres; dataDir: string }

async function startCluster(): Promise<Started> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'khamar-test-'))
  const postgres = await startEmbedded({ dataDir, log: () => {}, settings: FAST })
  try {
    await cloneDatabase(postgres.url, TEMPLATE, 'template1')
    await migrate(withDatabase(postgres.url, TEMPLATE))
  } catch (error) {
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
    throw error
  }
  return { postgres, dataDir }
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  server.unref()
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
