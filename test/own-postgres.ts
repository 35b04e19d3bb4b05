import { readFileSync, readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DATABASE, ensureCluster, storedPassword, ROLE } from '#server/embedded/cluster.ts'
import { chooseIdentity } from '#server/embedded/os-user.ts'
import { freePort, startPostmaster, type Postmaster } from '#server/embedded/postmaster.ts'
import { migrate } from '#server/migrate.ts'

/** A PostgreSQL of the test's own, at an address that stays, to be stopped, started and frozen while a shop uses it. */
export type OwnPostgres = {
  url: string
  start(): Promise<void>
  stop(): Promise<void>
  /** The server is there and says nothing more, as behind a broken network. */
  freeze(): void
  thaw(): void
  remove(): Promise<void>
}

/** Made with every migration, and running. */
export async function ownPostgres(): Promise<OwnPostgres> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'khamar-own-'))
  const pgData = path.join(dataDir, 'postgres')
  const identity = await chooseIdentity(pgData)
  const { password } = await storedPassword(dataDir)
  await ensureCluster(identity, pgData, password)
  const place = { dataDir, pgData, socketDir: dataDir, port: await freePort() }
  const settings = { fsync: 'off', full_page_writes: 'off' }
  let running: Postmaster | null = null
  const postgres: OwnPostgres = {
    url: `postgresql://${ROLE}:${password}@127.0.0.1:${place.port}/${DATABASE}`,
    async start() {
      running ??= await startPostmaster(identity, place, { settings, log: () => {} })
    },
    async stop() {
      await running?.stop()
      running = null
    },
    freeze: () => signalAll(running, 'SIGSTOP'),
    thaw: () => signalAll(running, 'SIGCONT'),
    async remove() {
      postgres.thaw()
      await postgres.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
  await postgres.start()
  await migrate(postgres.url)
  return postgres
}

function signalAll(postmaster: Postmaster | null, signal: NodeJS.Signals): void {
  if (!postmaster) return
  for (const pid of [postmaster.pid, ...childrenOf(postmaster.pid)]) {
    try {
      process.kill(pid, signal)
    } catch (error) {
      // It has ended since it was looked for.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
}

function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((one) => parentOf(one) === pid)
}

function parentOf(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1])
  } catch {
    return 0
  }
}
