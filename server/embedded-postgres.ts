import { chownSync, realpathSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeFolder } from '#lib/files/folders.server.ts'
import { changePassword, DATABASE, chownCluster, ensureCluster, storedPassword, ROLE } from './embedded/cluster.ts'
import { lockFolder } from './embedded/folder-lock.ts'
import { chooseIdentity, type Identity } from './embedded/os-user.ts'
import { clearLeftOver } from './embedded/stale-server.ts'
import { freePort, startPostmaster, type ServerLocation, type Postmaster } from './embedded/postmaster.ts'
import { explainThrown } from './embedded/start-error.ts'

export type EmbeddedPostgres = {
  /** For `pg`, psql and pgbench alike: over the socket; its host and port also answer over TCP. */
  url: string
  /** Whether this start made the database. */
  fresh: boolean
  stop(): Promise<void>
}

type Options = {
  dataDir: string
  /** Called with a line for people when something takes long or is out of the ordinary. */
  log: (line: string) => void
  /** Server settings beyond those of postgresql.conf. */
  settings?: Record<string, string>
  /** False: behave as where the system forbids user namespaces. */
  userNamespaces?: boolean
}

const MAX_SOCKET_PATH_LENGTH = 100
const SOCKET_DIR_PREFIX = 'khamar-'
/** A database that was killed ends within a second, and on a machine with much other work within twenty. */
const START_TRIES = 12

/**
 * Starts the PostgreSQL that came with npm, its data in `dataDir`/postgres; makes the database the first time.
 * A server that dies is started again at the same address until `stop`. Throws `DatabaseStartError`, one line.
 */
export async function startEmbedded(options: Options): Promise<EmbeddedPostgres> {
  try {
    makeFolder(options.dataDir)
  } catch (error) {
    throw explainThrown(error, options.dataDir)
  }
  const dataDir = realpathSync(options.dataDir)
  const lock = lockFolder(dataDir)
  try {
    return await startLocked({ ...options, dataDir }, () => lock.release())
  } catch (error) {
    lock.release()
    throw explainThrown(error, options.dataDir)
  }
}

async function startLocked(options: Options, release: () => void): Promise<EmbeddedPostgres> {
  const { dataDir, log } = options
  const pgData = path.join(dataDir, 'postgres')
  await clearLeftOver(pgData, log)
  const identity = await chooseIdentity(pgData, options)
  await chownCluster(identity, pgData)
  const { password, isNew } = await storedPassword(dataDir)
  const fresh = await ensureCluster(identity, pgData, password)
  if (isNew && !fresh) await changePassword(identity, pgData, password)

  const urlFile = path.join(dataDir, 'database-url')
  await removeOldSocketDir(urlFile)
  const socketDir = await makeSocketDir(identity)
  try {
    const { location, postmaster } = await startOnFreePort(identity, { dataDir, pgData, socketDir }, options)
    const url = urlOf(location, password)
    await writeFile(urlFile, `${url}\n`, { mode: 0o600 })
    const supervisor = superviseServer(postmaster, () => startPostmaster(identity, location, flagsOf(options)), log)
    return {
      url,
      fresh,
      async stop() {
        await supervisor.stop()
        await rm(socketDir, { recursive: true, force: true })
        await rm(urlFile, { force: true })
        release()
      },
    }
  } catch (error) {
    await rm(socketDir, { recursive: true, force: true })
    throw error
  }
}

function flagsOf({ settings = {}, log }: Options) {
  return { settings, log }
}

/** Sockets have short names, so they cannot lie in the data folder; only the server's user may enter theirs. */
async function makeSocketDir(identity: Identity): Promise<string> {
  const location = tmpdir().length < MAX_SOCKET_PATH_LENGTH - 40 ? tmpdir() : '/tmp'
  const socketDir = await mkdtemp(path.join(location, SOCKET_DIR_PREFIX))
  if (identity.user) chownSync(socketDir, identity.user.uid, identity.user.gid)
  return socketDir
}

/** A killed shop leaves its folder behind, and in the file with the address its name. */
async function removeOldSocketDir(urlFile: string): Promise<void> {
  const old = URL.parse((await readFile(urlFile, 'utf8').catch(() => '')).trim())?.searchParams.get('host')
  if (!old || !path.basename(old).startsWith(SOCKET_DIR_PREFIX)) return
  const files: string[] = await readdir(old).catch(() => [])
  if (files.every((file) => file.startsWith('.s.PGSQL.'))) await rm(old, { recursive: true, force: true })
}

/** The port can be taken between looking for it and using it; then another one is tried. */
async function startOnFreePort(
  identity: Identity,
  folders: Omit<ServerLocation, 'port'>,
  options: Options,
): Promise<{ location: ServerLocation; postmaster: Postmaster }> {
  for (let attempt = 1; ; attempt++) {
    const location = { ...folders, port: await freePort() }
    try {
      return { location, postmaster: await startPostmaster(identity, location, flagsOf(options)) }
    } catch (error) {
      if (attempt === START_TRIES || !isTemporary(error)) throw error
      await sleep(300 * attempt)
    }
  }
}

function isTemporary(error: unknown): boolean {
  return error instanceof Error && /has not ended yet|TCP\/IP sockets|Address already in use/.test(error.message)
}

function urlOf({ socketDir, port }: ServerLocation, password: string): string {
  return `postgresql://${ROLE}:${password}@127.0.0.1:${port}/${DATABASE}?host=${encodeURIComponent(socketDir)}`
}

function superviseServer(first: Postmaster, startAgain: () => Promise<Postmaster>, log: (line: string) => void): { stop(): Promise<void> } {
  let current: Postmaster | null = first
  let restarting: Promise<void> = Promise.resolve()
  const stopped = new AbortController()

  function watch(postmaster: Postmaster): void {
    void postmaster.exited.then(() => {
      current = null
      if (!stopped.signal.aborted) restarting = restart()
    })
  }

  async function restart(): Promise<void> {
    log('The database stopped by itself; starting it again…')
    for (let pause = 200; !stopped.signal.aborted; pause = Math.min(pause * 2, 10_000)) {
      try {
        current = await startAgain()
        watch(current)
        log('The database is back.')
        return
      } catch (error) {
        log(error instanceof Error ? error.message : String(error))
        await sleep(pause, undefined, { signal: stopped.signal }).catch(() => {})
      }
    }
  }

  watch(first)
  return {
    async stop() {
      stopped.abort()
      await restarting
      await current?.stop()
    },
  }
}
