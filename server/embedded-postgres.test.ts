import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { startEmbedded } from './embedded-postgres.ts'

const HOLDER = path.resolve(import.meta.dirname, '../test/fixtures/hold-postgres.ts')
const NOBODY = 65_534
const isRoot = process.getuid?.() === 0

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

function newFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'khamar-embedded-'))
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

let made: Promise<string> | undefined

/** A folder with a database of an earlier start: a copy, because initdb takes seconds of CPU time. */
async function madeFolder(): Promise<string> {
  made ??= makeDatabase()
  const dataDir = newFolder()
  execFileSync('cp', ['-a', `${await made}/.`, dataDir])
  return dataDir
}

async function makeDatabase(): Promise<string> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'khamar-embedded-'))
  const postgres = await startEmbedded({ dataDir, log: () => {} })
  await postgres.stop()
  return dataDir
}

afterAll(async () => rmSync((await made) ?? '', { recursive: true, force: true }))

async function start(dataDir: string, options: { userNamespaces?: boolean; log?: (line: string) => void } = {}) {
  const postgres = await startEmbedded({ dataDir, log: () => {}, ...options })
  cleanups.push(() => postgres.stop())
  return postgres
}

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

async function failureOf(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => new Error('it started'),
    (thrown) => thrown,
  )
  expect(error.name, error.stack).toBe('DatabaseStartError')
  expect(error.message).not.toContain('\n')
  return error.message
}

/** Starts the database from a process of its own. */
async function hold(dataDir: string, { user, args = [] }: { user?: number; args?: string[] } = {}) {
  const holder = spawn(process.execPath, [HOLDER, dataDir, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(user === undefined ? {} : { uid: user, gid: user, cwd: '/' }),
  })
  cleanups.push(() => endHolder(holder))
  let text = ''
  let problem = ''
  holder.stderr.on('data', (chunk) => (problem += chunk))
  for await (const chunk of holder.stdout) {
    text += chunk
    if (text.includes('\n')) break
  }
  if (!text) throw new Error(problem)
  return { holder, ...(JSON.parse(text) as { url: string; fresh: boolean }) }
}

async function endHolder(holder: ChildProcess): Promise<void> {
  if (holder.exitCode !== null || holder.signalCode !== null) return
  holder.kill('SIGTERM')
  await once(holder, 'exit')
}

async function killHolder(holder: ChildProcess): Promise<void> {
  holder.kill('SIGKILL')
  if (holder.signalCode === null) await once(holder, 'exit')
}

function postmasterPid(dataDir: string): number {
  return Number.parseInt(readFileSync(path.join(dataDir, 'postgres/postmaster.pid'), 'utf8'), 10)
}

function killWatchdog(watched: number): void {
  for (const pid of processesWith(`khamar-watchdog\0${watched}\0`)) process.kill(pid, 'SIGKILL')
}

function processesWith(text: string): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.filter((pid) => commandLine(pid).includes(text)).map(Number)
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

async function eventually(isTrue: () => boolean | Promise<boolean>, withinMs = 10_000): Promise<void> {
  const deadline = Date.now() + withinMs
  while (!(await isTrue())) {
    if (Date.now() > deadline) throw new Error('it did not happen in time')
    await sleep(50)
  }
}

describe('an ordinary start', () => {
  it('makes the database once and keeps what is in it', async () => {
    const dataDir = newFolder()
    const first = await start(dataDir)
    expect(first.fresh).toBe(true)
    await query(first.url, 'create table cows as select 7 as tag')
    await first.stop()
    const second = await start(dataDir)
    expect(second.fresh).toBe(false)
    expect(await query(second.url, 'select tag from cows')).toEqual([{ tag: 7 }])
  })

  it('answers over the socket and over TCP, to its password only', async () => {
    const { url } = await start(await madeFolder())
    const overTcp = new URL(url)
    overTcp.search = ''
    expect(await query(url, 'select inet_server_addr() as address')).toEqual([{ address: null }])
    expect(await query(overTcp.href, 'select inet_server_addr()::text as address')).toEqual([{ address: '127.0.0.1/32' }])
    overTcp.password = 'wrong'
    await expect(query(overTcp.href, 'select 1')).rejects.toThrow('password authentication failed')
  })

  it('knows Bengali letters as letters, and sorts and cases alike everywhere', async () => {
    const { url } = await start(await madeFolder())
    await query(url, 'create extension pg_trgm')
    expect(await query(url, `select similarity('হাঁড়িভাঙ্গা আম', 'হাঁড়িভাঙ্গা') > 0.5 as alike, lower('ÀB') as lower`)).toEqual([
      { alike: true, lower: 'àb' },
    ])
  })

  it('is durable, and its secrets are for its owner only', async () => {
    const dataDir = await madeFolder()
    const { url } = await start(dataDir)
    expect(await query(url, `select current_setting('fsync') || current_setting('full_page_writes') as both`)).toEqual([{ both: 'onon' }])
    for (const file of ['database-password', 'database-url', 'postgres.log']) {
      expect(statSync(path.join(dataDir, file)).mode & 0o077, file).toBe(0)
    }
    expect(readFileSync(path.join(dataDir, 'database-url'), 'utf8').trim()).toBe(url)
  })

  it('leaves nothing running and nothing lying about', async () => {
    const dataDir = await madeFolder()
    const postgres = await start(dataDir)
    const socketDir = new URL(postgres.url).searchParams.get('host') ?? ''
    expect(existsSync(socketDir)).toBe(true)
    await query(postgres.url, 'select 1')
    await postgres.stop()
    expect(existsSync(socketDir)).toBe(false)
    expect(processesWith(dataDir)).toEqual([])
  })

  it('keeps the server out of reach of Ctrl-C', async () => {
    const dataDir = await madeFolder()
    await start(dataDir)
    const group = (pid: number) => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[2]
    expect(group(postmasterPid(dataDir))).not.toBe(group(process.pid))
  })

  it('gives the role a new password when the file with the old one is lost', async () => {
    const dataDir = await madeFolder()
    const first = await start(dataDir)
    await first.stop()
    rmSync(path.join(dataDir, 'database-password'))
    const { url, fresh } = await start(dataDir)
    expect(fresh).toBe(false)
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
  })
})

describe('a crash', () => {
  it('of the server alone is healed at the same address', async () => {
    const dataDir = await madeFolder()
    const told: string[] = []
    const { url } = await start(dataDir, { log: (line) => told.push(line) })
    await query(url, 'create table cows as select 7 as tag')
    const killed = postmasterPid(dataDir)
    process.kill(killed, 'SIGKILL')
    await eventually(() => told.includes('The database is back.'), 20_000)
    expect(postmasterPid(dataDir)).not.toBe(killed)
    expect(await query(url, 'select tag from cows')).toEqual([{ tag: 7 }])
  })

  it('of the shop stops the server soon, and loses nothing', async () => {
    const dataDir = await madeFolder()
    const { holder, url } = await hold(dataDir)
    await query(url, 'create table cows as select 7 as tag')
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => {})
    await client.connect()
    await killHolder(holder)
    await eventually(() => processesWith(path.join(dataDir, 'postgres')).length === 0)
    const again = await start(dataDir)
    expect(await query(again.url, 'select tag from cows')).toEqual([{ tag: 7 }])
  })

  it('of both at once leaves a stale pid file that does no harm', async () => {
    const dataDir = await madeFolder()
    const { holder, url } = await hold(dataDir)
    await query(url, 'create table cows as select 7 as tag')
    process.kill(postmasterPid(dataDir), 'SIGKILL')
    await killHolder(holder)
    const again = await start(dataDir)
    expect(await query(again.url, 'select tag from cows')).toEqual([{ tag: 7 }])
    expect(existsSync(new URL(url).searchParams.get('host') ?? '')).toBe(false)
  })

  it('of the shop and its watchdog: the next start takes the server over', async () => {
    const dataDir = await madeFolder()
    const { holder, url } = await hold(dataDir)
    await query(url, 'create table cows as select 7 as tag')
    const orphan = postmasterPid(dataDir)
    killWatchdog(orphan)
    await killHolder(holder)
    await sleep(300)
    expect(processesWith(path.join(dataDir, 'postgres'))).toContain(orphan)
    const told: string[] = []
    const again = await start(dataDir, { log: (line) => told.push(line) })
    expect(told).toEqual(['Stopping the database of an earlier start…'])
    expect(await query(again.url, 'select tag from cows')).toEqual([{ tag: 7 }])
  })

  it('whose pid now belongs to a stranger does not stop the next start', async () => {
    const dataDir = await madeFolder()
    const first = await start(dataDir)
    const pidFile = path.join(dataDir, 'postgres/postmaster.pid')
    const lines = readFileSync(pidFile, 'utf8').split('\n')
    await first.stop()
    const stranger = spawn('sleep', ['60'])
    cleanups.push(() => stranger.kill())
    writeFileSync(pidFile, [stranger.pid, ...lines.slice(1)].join('\n'))
    const again = await start(dataDir)
    expect(await query(again.url, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(stranger.exitCode).toBeNull()
  })

  it('killed while creating the cluster: the next start creates it again', async () => {
    const dataDir = newFolder()
    mkdirSync(path.join(dataDir, 'postgres.new/base'), { recursive: true })
    writeFileSync(path.join(dataDir, 'postgres.new/PG_VERSION'), '18\n')
    const { fresh, url } = await start(dataDir)
    expect(fresh).toBe(true)
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
  })
})

describe('one clear line and no damage', () => {
  it('when the shop already runs on the folder', async () => {
    const dataDir = await madeFolder()
    const { url, holder } = await hold(dataDir)
    expect(await failureOf(startEmbedded({ dataDir, log: () => {} }))).toBe(
      `Khamar is already running on the folder ${dataDir} (process ${holder.pid}); stop it first or choose another DATA_DIR.`,
    )
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it('when two start at once on a new folder: one of them runs', async () => {
    const dataDir = newFolder()
    const results = await Promise.allSettled([hold(dataDir), hold(dataDir)])
    const failures = results.flatMap((result) => (result.status === 'rejected' ? [String(result.reason)] : []))
    expect(failures).toHaveLength(1)
    expect(failures[0]).toContain('already running on the folder')
  })

  it('when the folder holds something else', async () => {
    const dataDir = newFolder()
    mkdirSync(path.join(dataDir, 'postgres'))
    writeFileSync(path.join(dataDir, 'postgres/holiday.jpg'), '')
    expect(await failureOf(start(dataDir))).toContain('is not a database')
    expect(existsSync(path.join(dataDir, 'postgres/holiday.jpg'))).toBe(true)
  })

  it('when another version made the database', async () => {
    const dataDir = await madeFolder()
    await (await start(dataDir)).stop()
    writeFileSync(path.join(dataDir, 'postgres/PG_VERSION'), '17\n')
    expect(await failureOf(start(dataDir))).toContain('was made by another PostgreSQL version')
  })

  it('when the configuration is broken', async () => {
    const dataDir = await madeFolder()
    await (await start(dataDir)).stop()
    writeFileSync(path.join(dataDir, 'postgres/postgresql.conf'), 'shared_buffers = a lot\n')
    expect(await failureOf(start(dataDir))).toMatch(/^The embedded database did not start: .*\(more in .*postgres\.log\)$/)
  })

  it('when DATA_DIR is a file', async () => {
    const file = path.join(newFolder(), 'data')
    writeFileSync(file, '')
    await failureOf(start(file))
  })

  it.runIf(isRoot && canMount())('when the disk is full, at the first start and at a later one', async () => {
    const dataDir = newFolder()
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'khamar-test', dataDir])
    cleanups.push(() => execFileSync('umount', [dataDir]))
    expect(await failureOf(start(dataDir))).toContain('The disk is full')
    expect(existsSync(path.join(dataDir, 'postgres'))).toBe(false)

    execFileSync('mount', ['-o', 'remount,size=200m', dataDir])
    const { url, stop } = await start(dataDir)
    await query(url, 'create table cows as select 7 as tag')
    await stop()
    fillUp(dataDir)
    expect(await failureOf(start(dataDir))).toContain('The disk is full')
    rmSync(path.join(dataDir, 'filler'))
    const again = await start(dataDir)
    expect(await query(again.url, 'select tag from cows')).toEqual([{ tag: 7 }])
  })
})

describe.runIf(isRoot && process.platform === 'linux')('as root', () => {
  /** Nobody but root gets into the folder, as into /root. */
  function privateHome(): string {
    const home = newFolder()
    chmodSync(home, 0o700)
    return path.join(home, 'data')
  }

  const ways: [string, boolean, number][] = [
    ['in a user namespace', true, 0],
    ['as another user where namespaces are forbidden', false, NaN],
  ]
  it.each(ways)('runs %s, in a private home', async (_way, userNamespaces, owner) => {
    const dataDir = privateHome()
    const first = await start(dataDir, { userNamespaces })
    await query(first.url, 'create table cows as select 7 as tag')
    const { uid } = statSync(path.join(dataDir, 'postgres'))
    if (owner === 0) expect(uid).toBe(0)
    else expect(uid).not.toBe(0)
    await first.stop()
    const again = await start(dataDir, { userNamespaces })
    expect(again.fresh).toBe(false)
    expect(await query(again.url, 'select tag from cows')).toEqual([{ tag: 7 }])
  })

  it('goes on where namespaces come and go between starts', async () => {
    const dataDir = privateHome()
    const first = await start(dataDir, { userNamespaces: true })
    await query(first.url, 'create table cows as select 7 as tag')
    await first.stop()
    const second = await start(dataDir, { userNamespaces: false })
    await second.stop()
    const third = await start(dataDir, { userNamespaces: true })
    expect(await query(third.url, 'select tag from cows')).toEqual([{ tag: 7 }])
  })

  it('takes over, as another user too, after a crash of everything', async () => {
    const dataDir = privateHome()
    const { holder } = await hold(dataDir, { args: ['no-namespaces'] })
    const orphan = postmasterPid(dataDir)
    killWatchdog(orphan)
    await killHolder(holder)
    const { url } = await start(dataDir, { userNamespaces: false })
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(postmasterPid(dataDir)).not.toBe(orphan)
  })

  it.runIf(reaches(NOBODY, HOLDER) && reaches(NOBODY, process.execPath))('leaves room for an ordinary user', async () => {
    const dataDir = newFolder()
    chownSync(dataDir, NOBODY, NOBODY)
    const { holder, url, fresh } = await hold(dataDir, { user: NOBODY })
    expect(fresh).toBe(true)
    await query(url.replace(/\?.*/, ''), 'create table cows as select 7 as tag')
    await endHolder(holder)
    expect(statSync(path.join(dataDir, 'postgres')).uid).toBe(NOBODY)
    // Root, later, runs it as the owner it has.
    const asRoot = await start(dataDir)
    expect(await query(asRoot.url, 'select tag from cows')).toEqual([{ tag: 7 }])
    await asRoot.stop()

    const closed = newFolder()
    chmodSync(closed, 0o755)
    await expect(hold(closed, { user: NOBODY })).rejects.toThrow('cannot be written to by this user')
  })
})

function canMount(): boolean {
  const place = mkdtempSync(path.join(tmpdir(), 'khamar-mount-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', 'khamar-test', place], { stdio: 'ignore' })
    execFileSync('umount', [place])
    return true
  } catch {
    return false
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}

function fillUp(folder: string): void {
  try {
    execFileSync('dd', ['if=/dev/zero', `of=${path.join(folder, 'filler')}`, 'bs=4k'], { stdio: 'ignore' })
  } catch {
    // It ends by failing: the disk is full now.
  }
}

function reaches(user: number, file: string): boolean {
  try {
    execFileSync('test', ['-r', file], { uid: user, gid: user, cwd: '/' })
    return true
  } catch {
    return false
  }
}
