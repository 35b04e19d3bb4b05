import { readFileSync, readdirSync } from 'node:fs'
import { execFile } from 'node:child_process'
import { appendFile, chown, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { openDb } from '#lib/db/db.server.ts'
import { DATABASE, ensureCluster, storedPassword, ROLE } from '#server/embedded/cluster.ts'
import { chooseIdentity } from '#server/embedded/os-user.ts'
import { startPostmaster, type ServerLocation, type Postmaster } from '#server/embedded/postmaster.ts'
import { freePort } from '#test/free-port.ts'
import { migrate } from '#server/migrate.ts'
import { openToVisitors } from './factories.ts'

/** A PostgreSQL of the test's own, at an address that stays, to be stopped, started and frozen while a shop uses it. */
export type OwnPostgres = {
  url: string
  start(): Promise<void>
  stop(): Promise<void>
  /** The server is there and says nothing more, as behind a broken network. */
  freeze(): void
  thaw(): void
  /** Ends it as a power failure does: nothing more is sent to the replica. */
  kill(): Promise<void>
  /** A commit is answered when a replica has stored it. */
  waitForReplica(): Promise<void>
  /** Copies the running server, and follows it. */
  replicate(): Promise<Replica>
  remove(): Promise<void>
}

/** A streaming replica of an `OwnPostgres`. */
export type Replica = {
  url: string
  /** Stops replaying; the replica answers and gets older. */
  pause(): Promise<void>
  resume(): Promise<void>
  /** Makes it a primary, as after a failover. */
  promote(): Promise<void>
  start(): Promise<void>
  stop(): Promise<void>
  remove(): Promise<void>
}

/** Made with every migration, and running. */
export async function ownPostgres(): Promise<OwnPostgres> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'khamar-own-'))
  const pgData = path.join(dataDir, 'postgres')
  const identity = await chooseIdentity(pgData)
  const { password } = await storedPassword(dataDir)
  await ensureCluster(identity, pgData, password)
  await openToSuperuser(pgData)
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
    async kill() {
      const killed = running
      signalAll(killed, 'SIGKILL')
      await killed?.stop().catch(() => {})
      running = null
    },
    waitForReplica: () =>
      asSuperuser(place.port, async (client) => {
        await client.query(`alter system set synchronous_standby_names = '*'`)
        await client.query('select pg_reload_conf()')
      }),
    freeze: () => signalAll(running, 'SIGSTOP'),
    thaw: () => signalAll(running, 'SIGCONT'),
    async replicate() {
      const copy = { dataDir: `${dataDir}-replica`, pgData: `${dataDir}-replica/postgres`, socketDir: `${dataDir}-replica` }
      await copyCluster({ from: dataDir, to: copy.dataDir, port: place.port })
      const replicaPlace = { ...copy, port: await freePort() }
      return replicaOf(postgres.url, replicaPlace, () => startPostmaster(identity, replicaPlace, { settings, log: () => {} }))
    },
    async remove() {
      postgres.thaw()
      await postgres.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
  await postgres.start()
  await migrate(postgres.url)
  const { db, close } = openDb(postgres.url, { max: 1 })
  await openToVisitors(db)
  await close()
  return postgres
}

/** The superuser has no password: these rules let the test sign in as it, and the replica read the log. */
const OPEN_RULES = `
host all postgres 127.0.0.1/32 trust
host replication postgres 127.0.0.1/32 trust
`

/** The first rule that matches counts. */
async function openToSuperuser(pgData: string): Promise<void> {
  const file = path.join(pgData, 'pg_hba.conf')
  await writeFile(file, OPEN_RULES + (await readFile(file, 'utf8')))
}

/** Runs statements as the superuser on one connection. */
async function asSuperuser<T>(port: number, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ host: '127.0.0.1', port, user: 'postgres', database: 'postgres' })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** A base backup by hand, because the embedded programs have no pg_basebackup. */
async function copyCluster({ from, to, port }: { from: string; to: string; port: number }): Promise<void> {
  await asSuperuser(port, async (client) => {
    await client.query(`select pg_backup_start('replica', true)`)
    await promisify(execFile)('cp', ['-a', from, to])
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop()')
    const pgData = path.join(to, 'postgres')
    for (const name of ['postmaster.pid', 'postmaster.opts']) await rm(path.join(pgData, name), { force: true })
    await writeLike(pgData, 'backup_label', rows[0]!.labelfile)
    await writeLike(pgData, 'standby.signal', '')
    await appendFile(path.join(pgData, 'postgresql.auto.conf'), `primary_conninfo = 'host=127.0.0.1 port=${port} user=postgres'\n`)
  })
}

/** The server runs as the owner of the folder. */
async function writeLike(folder: string, name: string, text: string): Promise<void> {
  const file = path.join(folder, name)
  await writeFile(file, text)
  const { uid, gid } = await stat(folder)
  await chown(file, uid, gid)
}

async function replicaOf(primaryUrl: string, { dataDir, port }: ServerLocation, startServer: () => Promise<Postmaster>): Promise<Replica> {
  let running: Postmaster | null = await startServer()
  const url = new URL(primaryUrl)
  url.port = String(port)
  const run = (statement: string) => asSuperuser(port, async (client) => void (await client.query(statement)))
  const stop = async () => {
    await running?.stop()
    running = null
  }
  return {
    url: url.href,
    pause: () => run('select pg_wal_replay_pause()'),
    resume: () => run('select pg_wal_replay_resume()'),
    promote: () => run('select pg_promote()'),
    start: async () => {
      running ??= await startServer()
    },
    stop,
    async remove() {
      await stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
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

/** The processes whose parent is this one (Linux). */
export function childrenOf(pid: number): number[] {
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
