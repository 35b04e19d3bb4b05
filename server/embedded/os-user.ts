import { spawnSync, type SpawnOptions } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { userInfo } from 'node:os'
import path from 'node:path'
import { copiedBinaries, installedBinaries, sharedPlaces, type Binaries } from './binaries.ts'
import { DatabaseStartError } from './start-error.ts'

/**
 * How to run PostgreSQL's programs, which refuse to run as root. `user` is set when they run as another user, who
 * must then own the data.
 */
export type Identity = {
  binaries: Binaries
  user: { uid: number; gid: number } | null
  /** Program, arguments and options that run `program` on the folder `pgData`. */
  command(program: string, pgData: string, args: string[]): { file: string; args: string[]; options: SpawnOptions }
}

// The id must be known to the system; the user `nobody` exists everywhere.
const NAMESPACE = ['--user', '--map-user=65534', '--map-group=65534', '--']

/**
 * An ordinary user runs the programs directly. Root runs them in a user namespace, where it appears as an ordinary
 * user though the files stay root's. Where namespaces are forbidden, they run as another user.
 */
export async function chooseIdentity(pgData: string, { userNamespaces = true }: { userNamespaces?: boolean } = {}): Promise<Identity> {
  const isRoot = process.getuid?.() === 0
  const owner = ownerOf(pgData)
  if (isRoot && owner && owner.uid !== 0) return asUser(owner)
  if (!isRoot && hasName()) return directly(await ownBinaries(path.dirname(pgData)))
  const binaries = await ownBinaries(path.dirname(pgData))
  if (userNamespaces && canRun('unshare', [...NAMESPACE, binaries.postgres, '--version'])) return inNamespace(binaries)
  return isRoot ? asUser(otherUser()) : directly(binaries)
}

function directly(binaries: Binaries): Identity {
  return {
    binaries,
    user: null,
    command: (program, pgData, args) => ({ file: program, args: ['-D', pgData, ...args], options: {} }),
  }
}

function inNamespace(binaries: Binaries): Identity {
  return {
    binaries,
    user: null,
    command: (program, pgData, args) => ({
      file: 'unshare',
      args: [...NAMESPACE, program, '-D', pgData, ...args],
      options: {},
    }),
  }
}

async function asUser(user: { uid: number; gid: number }): Promise<Identity> {
  const installed = await installedBinaries()
  const reachable = canRun(installed.postgres, ['--version'], user)
  return {
    binaries: reachable ? installed : await copiedBinaries(sharedPlaces()),
    user,
    command: (program, pgData, args) => ({
      file: program,
      // Root enters the folder before it becomes the other user. By this name that user can use the folder even
      // where a private home lies above it.
      args: ['-D', process.platform === 'linux' ? '/proc/self/cwd' : pgData, ...args],
      options: { ...user, cwd: pgData },
    }),
  }
}

/** The installed programs, or a copy in the data folder when an earlier, other user installed them unfinished. */
async function ownBinaries(dataDir: string): Promise<Binaries> {
  try {
    return await installedBinaries()
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? ''
    if (!['EACCES', 'EPERM', 'EROFS'].includes(code)) throw error
    return copiedBinaries([dataDir])
  }
}

function ownerOf(folder: string): { uid: number; gid: number } | null {
  try {
    const { uid, gid } = statSync(folder)
    return { uid, gid }
  } catch {
    return null
  }
}

function hasName(): boolean {
  try {
    return userInfo().username !== ''
  } catch {
    return false
  }
}

function canRun(file: string, args: string[], user: { uid?: number; gid?: number } = {}): boolean {
  return spawnSync(file, args, { stdio: 'ignore', cwd: '/', uid: user.uid, gid: user.gid }).status === 0
}

function otherUser(): { uid: number; gid: number } {
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n')
  for (const name of ['postgres', 'nobody']) {
    const fields = lines.find((line) => line.startsWith(`${name}:`))?.split(':')
    if (fields) return { uid: Number(fields[2]), gid: Number(fields[3]) }
  }
  throw new DatabaseStartError('The embedded database refuses to run as root; start Khamar as an ordinary user.')
}
