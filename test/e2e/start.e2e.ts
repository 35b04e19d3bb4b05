import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '#test/free-port.ts'
import { fillDataFolder, shared } from '../shared.ts'
import { startShopProcess, type ShopProcess } from '../shop-process.ts'

beforeAll(() => shared('pages'))

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

function newFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'khamar-start-'))
  // A process that is just ending takes its own files away too; rmSync then stops half-way and says nothing.
  cleanups.push(() =>
    eventually(() => {
      rmSync(folder, { recursive: true, force: true })
      return !existsSync(folder)
    }),
  )
  return folder
}

/** The folder of a shop that has been started before. */
async function usedFolder(): Promise<string> {
  const folder = newFolder()
  await fillDataFolder(folder)
  return folder
}

async function start(dataDir: string): Promise<ShopProcess> {
  const shop = await startShopProcess({ dataDir })
  cleanups.push(async () => {
    await shop.kill()
    await eventually(() => processesWith(path.join(dataDir, 'postgres')).length === 0)
  })
  return shop
}

async function failedStart(env: Record<string, string>): Promise<string> {
  // A query is slow on a busy machine, and its line stands beside the one that is looked for.
  const error = await startShopProcess({ dataDir: newFolder(), env: { SLOW_QUERY_MS: '0', ...env } }).then(
    () => new Error('It started.'),
    (thrown: Error) => thrown,
  )
  return error.message
}

function postmasterPid(dataDir: string): number {
  return Number.parseInt(readFileSync(path.join(dataDir, 'postgres/postmaster.pid'), 'utf8'), 10)
}

function processesWith(text: string): string[] {
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name) && commandLine(name).includes(text))
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

/** Long, for machines under load. */
const MAX_WAIT_MS = 120_000

async function eventually(isTrue: () => Promise<boolean> | boolean): Promise<void> {
  const deadline = Date.now() + MAX_WAIT_MS
  while (!(await isTrue())) {
    if (Date.now() > deadline) throw new Error('It did not happen in time.')
    await sleep(50)
  }
}

const status = (url: string) => fetch(url).then(({ status: code }) => code)

describe('a start', () => {
  it('starts again in the same folder, and stops without a trace', async () => {
    const dataDir = newFolder()
    await (await start(dataDir)).stop()
    const shop = await start(dataDir)
    expect(await status(`${shop.url}/healthz`)).toBe(200)
    await shop.stop()
    expect(processesWith(dataDir)).toEqual([])
  })

  it('fails with one line when the port is busy', async () => {
    const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
    await once(server, 'listening')
    cleanups.push(() => server.close())
    const PORT = String((server.address() as { port: number }).port)
    expect(await failedStart({ PORT })).toMatch(
      new RegExp(`^The shop did not start:\\nPort ${PORT} is taken by another program[^\\n]*\\n$`),
    )
  })

  it('fails with one line when a setting is wrong', async () => {
    expect(await failedStart({ RATE_LIMIT: 'perhaps' })).toBe('The shop did not start:\nRATE_LIMIT must be on or off, not "perhaps".\n')
  })

  it('fails with one line when the shop runs already, which goes on', async () => {
    const dataDir = await usedFolder()
    const shop = await start(dataDir)
    const second = startShopProcess({ dataDir })
    await expect(second).rejects.toThrow(
      `The shop did not start:\nKhamar is already running on the folder ${dataDir} (process ${shop.pid}); stop it first or choose another DATA_DIR.\n`,
    )
    expect(await status(`${shop.url}/readyz`)).toBe(200)
  })
})

describe('an end', () => {
  it('lets a running request finish', async () => {
    const dataDir = await usedFolder()
    const shop = await start(dataDir)
    const blocker = new pg.Client({ connectionString: readFileSync(path.join(dataDir, 'database-url'), 'utf8').trim() })
    blocker.on('error', () => {})
    await blocker.connect()
    await blocker.query(`delete from settings where key = 'opening'`)
    await eventually(async () => (await status(`${shop.url}/track`)) === 200)
    await blocker.query('begin; lock table products in access exclusive mode')
    const running = status(`${shop.url}/api/product/search?q=mango`)
    await eventually(async () => {
      const { rows } = await blocker.query(`select 1 from pg_locks where not granted`)
      return rows.length > 0
    })
    const stopped = shop.stop()
    await sleep(300)
    await blocker.query('rollback')
    expect(await running).toBe(200)
    const before = Date.now()
    await stopped
    expect(Date.now() - before).toBeLessThan(9_000)
    expect(processesWith(dataDir)).toEqual([])
  })

  it('by a kill leaves no database running, and the next start is well', async () => {
    const dataDir = await usedFolder()
    const shop = await start(dataDir)
    await shop.kill()
    await eventually(() => processesWith(path.join(dataDir, 'postgres')).length === 0)
    const again = await start(dataDir)
    expect(await status(`${again.url}/readyz`)).toBe(200)
  })

  it('of the database alone: not ready for a moment, then all is well without a restart', async () => {
    const dataDir = await usedFolder()
    const shop = await start(dataDir)
    const killed = postmasterPid(dataDir)
    process.kill(killed, 'SIGKILL')
    // On a busy machine the database may be back before an answer is asked for.
    const isReplaced = () => existsSync(path.join(dataDir, 'postgres/postmaster.pid')) && postmasterPid(dataDir) !== killed
    await eventually(async () => (await status(`${shop.url}/readyz`)) === 503 || isReplaced())
    expect(await status(`${shop.url}/healthz`)).toBe(200)
    await eventually(async () => isReplaced() && (await status(`${shop.url}/readyz`)) === 200)
    await shop.stop()
  })

  it('of the database before the jobs have started: the shop, which answers already, goes on', async () => {
    const dataDir = await usedFolder()
    const starting = start(dataDir)
    const blocker = await blockJobs(dataDir)
    const shop = await starting
    await eventually(async () => {
      const { rows } = await blocker.query('select 1 from pg_locks where not granted')
      return rows.length > 0
    })
    expect(shop.output()).not.toContain('Khamar runs')
    process.kill(postmasterPid(dataDir), 'SIGKILL')
    await eventually(() => shop.output().includes('Khamar runs'))
    expect(await status(`${shop.url}/readyz`)).toBe(200)
    await shop.stop()
  })
})

/** Locks the table of the jobs as soon as the database of a starting shop takes connections. */
async function blockJobs(dataDir: string): Promise<pg.Client> {
  let blocker: pg.Client | undefined
  await eventually(async () => {
    const connectionString = await readFile(path.join(dataDir, 'database-url'), 'utf8').catch(() => '')
    if (!connectionString) return false
    const client = new pg.Client({ connectionString: connectionString.trim() })
    client.on('error', () => {})
    await client.connect()
    await client.query('begin; lock table scheduled_jobs in access exclusive mode')
    blocker = client
    return true
  })
  return blocker!
}

/** Runs `npm start` until the shop is ready. */
async function startNpm(dataDir: string, port: number): Promise<ChildProcess> {
  const npm = spawn('npm', ['start'], {
    cwd: path.resolve(import.meta.dirname, '../..'),
    stdio: 'ignore',
    env: { ...process.env, NODE_OPTIONS: '', PORT: String(port), DATA_DIR: dataDir, DATABASE_URL: '', DEMO: 'off', NODE_ENV: '' },
  })
  cleanups.push(() => npm.kill('SIGKILL'))
  await eventually(() =>
    status(`http://127.0.0.1:${port}/readyz`).then(
      (code) => code === 200,
      () => false,
    ),
  )
  return npm
}

describe('npm start', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('hands on %s, and ends when the shop has ended', async (signal) => {
    const dataDir = await usedFolder()
    const port = await freePort()
    const npm = await startNpm(dataDir, port)
    npm.kill(signal)
    await once(npm, 'exit')
    expect(npm.exitCode).toBe(0)
    expect(processesWith(dataDir)).toEqual([])
  })

  it('killed, leaves no shop behind', async () => {
    const dataDir = await usedFolder()
    const port = await freePort()
    const npm = await startNpm(dataDir, port)
    npm.kill('SIGKILL')
    await eventually(() => processesWith(dataDir).length === 0)
    await expect(status(`http://127.0.0.1:${port}/healthz`)).rejects.toThrow()
  })
})
