import { uploadsFolder } from '#lib/files/uploads.server.ts'
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, open, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { constants, getPriority, tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { seedDemo } from '#db/demo/seed-demo.ts'
import { checkArchive } from '#features/backup/archive/archive-reader.server.ts'
import { lastBackup } from '#features/backup/queries.server.ts'
import { openDb } from '#lib/db/db.server.ts'
import { startBucketServer } from '#test/bucket-server.ts'
import { newDatabase, testDb } from '#test/db.ts'
import { runScript } from '#test/run-script.ts'

// Backup and restore as an operator runs them, killed and damaged. The database is large enough to be killed in the middle.

const { db, pool, url } = await testDb()
const folder = await mkdtemp(path.join(tmpdir(), 'khamar-backup-'))
const [dataDir, to] = [path.join(folder, 'data'), path.join(folder, 'backups')]
const env = { DATA_DIR: dataDir, DATABASE_URL: url }
const shop = (args: string[], more: Record<string, string> = {}) =>
  runScript('scripts/shop.ts', { args, env: { ...env, ...more }, nice: 1 })
const files = async (where = to) => (await readdir(where).catch(() => [])).toSorted()
const UPLOAD_BYTES = 12 * 1024 * 1024

let file = ''
beforeAll(async () => {
  await mkdir(path.join(dataDir, 'uploads'), { recursive: true })
  await seedDemo(db, { uploads: uploadsFolder(dataDir), now: new Date(), store: async () => {}, videos: false })
  await sql`insert into audit_log (actor_id, action, subject, subject_id, after)
    select (select min(id) from users), 'changed', 'product', n::text, jsonb_build_object('name_en', md5(n::text), 'name_bn', md5((-n)::text))
    from generate_series(1, 20000) n`.execute(db)
  await writeFile(path.join(dataDir, 'uploads', 'cow.mp4'), randomBytes(UPLOAD_BYTES))
  const made = await shop(['backup', '--to', to])
  expect(made).toMatchObject({ code: 0, output: expect.stringContaining('All checksums were read back.') })
  file = path.join(to, (await files())[0]!)
}, 400_000)
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Starts a command, and ends it by a signal when `isTime` says so. Returns the priority that it had. */
async function killWhen(
  args: string[],
  more: Record<string, string>,
  isTime: (output: string) => Promise<boolean> | boolean,
  signal: 'SIGKILL' | 'SIGINT' = 'SIGKILL',
) {
  const child: ChildProcess = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', 'scripts/shop.ts', ...args], {
    env: { PATH: process.env.PATH, TZ: 'UTC', ...env, ...more },
  })
  let output = ''
  child.stdout?.on('data', (chunk) => (output += chunk))
  child.stderr?.on('data', (chunk) => (output += chunk))
  const ended = new Promise((resolve) => child.once('close', (_code, signal) => resolve(signal)))
  const watch = async () => {
    while (child.exitCode === null && !(await isTime(output))) await sleep(2)
    const priority = child.exitCode === null ? getPriority(child.pid) : null
    child.kill(signal)
    return priority
  }
  const priority = await watch()
  expect([await ended, output.includes('Restored:')], output).toEqual([signal, false])
  return priority
}

async function tablesOf(where: string): Promise<number> {
  const client = new pg.Client({ connectionString: where })
  await client.connect()
  const { rows } = await client.query("select count(*)::int as n from pg_tables where schemaname = 'public'")
  await client.end()
  return rows[0].n
}

describe('a backup', () => {
  it('killed half-way leaves no half file; the next one removes its draft and records it', { timeout: 400_000 }, async () => {
    const before = await files()
    const isHalf = async () => {
      const draft = (await files()).find((name) => name.endsWith('.part') && !before.includes(name))
      const size = draft ? await stat(path.join(to, draft)).catch(() => null) : null
      return size !== null && size.size > UPLOAD_BYTES / 3
    }
    expect(await killWhen(['backup', '--to', to], {}, isHalf)).toBe(constants.priority.PRIORITY_BELOW_NORMAL)
    const left = (await files()).filter((name) => !before.includes(name))
    expect(left).toEqual([expect.stringMatching(/\.part$/)])
    expect((await shop(['restore', path.join(to, left[0]!)], { DATABASE_URL: url })).code).toBe(1)
    // The session of the killed process may end a moment later.
    await expect.poll(async () => (await shop(['backup', '--to', to])).code, { timeout: 200_000 }).toBe(0)
    expect((await files()).filter((name) => name.endsWith('.part'))).toEqual([])
    const { rows } = await sql<{ state: string }>`select state from backup_runs order by id`.execute(db)
    expect(rows.map(({ state }) => state).slice(0, 2)).toEqual(['done', 'failed'])
  })

  it('by the unit of systemd applies the retention: one of a day stays', { timeout: 400_000 }, async () => {
    const unit = await readFile(path.join(import.meta.dirname, '../../ops/khamar-backup.service'), 'utf8')
    const args = /^ExecStart=.* scripts\/shop\.ts (.*)$/m.exec(unit)![1]!.split(' ')
    const where = await mkdtemp(path.join(folder, 'by-unit-'))
    for (let times = 0; times < 2; times++) expect((await shop(args, { BACKUP_TO: where })).code).toBe(0)
    const names = (await files(where)).filter((name) => name !== 'khamar-backups.txt')
    expect(names.length).toBe(1)
    const { rows } =
      await sql`select file_name, deleted_at is not null as deleted from backup_runs where target = ${where} order by id`.execute(db)
    expect(rows).toEqual([
      { file_name: expect.any(String), deleted: true },
      { file_name: names[0], deleted: false },
    ])
  })

  it('is refused while another one runs', { timeout: 400_000 }, async () => {
    const before = await files()
    const other = await pool.connect()
    // Its session ends, and gives the lock back.
    onTestFinished(() => other.release(true))
    // The lock of backups, as another process holds it.
    await other.query('select pg_advisory_lock(715001017)')
    expect(await shop(['backup', '--to', to])).toEqual({ code: 1, output: 'A backup is already running.\n' })
    expect(await files()).toEqual(before)
  })

  it('while orders change, is the state of one moment', { timeout: 400_000 }, async () => {
    let isOver = false
    onTestFinished(() => void (isOver = true))
    // Moves stock from one product to another: the sum is the same at every moment.
    const move = async () => {
      for (let n = 0; !isOver; n++)
        await db.transaction().execute(async (tx) => {
          const [from, into] = n % 2 === 0 ? [1, 2] : [2, 1]
          await sql`update areas set position = position + 1 where id = ${from}`.execute(tx)
          await sql`update areas set position = position - 1 where id = ${into}`.execute(tx)
          await sql`insert into backup_moves values (${n})`.execute(tx)
          await sql`insert into backup_moves_too values (${n})`.execute(tx)
        })
    }
    await sql`drop table if exists backup_moves, backup_moves_too;
      create table backup_moves (n_milli bigint); create table backup_moves_too (n_milli bigint)`.execute(db)
    const moving = move()
    const target = await mkdtemp(path.join(folder, 'busy-'))
    const { code } = await shop(['backup', '--to', target])
    isOver = true
    await moving
    expect(code).toBe(0)
    const { contents } = await checkArchive(path.join(target, (await files(target))[0]!))
    await sql`drop table backup_moves, backup_moves_too`.execute(db)
    expect(contents.tables.backup_moves!.rows).toBeGreaterThan(0)
    expect(contents.tables.backup_moves).toEqual(contents.tables.backup_moves_too)
  })

  it(
    'to a bucket is restored by its name; one that is away fails in a line, leaves no file and is recorded',
    { timeout: 400_000 },
    async () => {
      const own = await mkdtemp(path.join(folder, 'bucket-'))
      const bucket = await startBucketServer()
      const away = { ...bucket.env, BACKUP_TO: 's3://shop/nightly' }
      expect(await shop(['backup'], away)).toMatchObject({ code: 0, output: expect.stringContaining('s3://shop/nightly/khamar-') })
      const last = await lastBackup(db, new Date())
      expect(last).toMatchObject({ target: 's3://shop/nightly' })
      const target = await newDatabase({ template: 'template1' })
      const restored = await shop(['restore', last!.fileName], {
        ...away,
        DATABASE_URL: target.url,
        DATA_DIR: path.join(own, 'restored'),
      })
      expect(restored).toMatchObject({ code: 0, output: expect.stringContaining('Restored: rows and sums equal') })
      await target.drop()
      bucket.misbehave('stalls')
      const copying = { ...away, DATA_DIR: path.join(own, 'stopped') }
      const isCopying = async () => (await files(path.join(own, 'stopped/backups'))).length > 0
      await killWhen(['restore', last!.fileName], copying, isCopying, 'SIGINT')
      expect(await files(path.join(own, 'stopped/backups'))).toEqual([])
      bucket.misbehave('error-500')
      expect(await shop(['backup'], away)).toMatchObject({ code: 1, output: expect.not.stringContaining('S3RVER') })
      await bucket.stop()
      expect(await files(path.join(dataDir, 'backups'))).toEqual([])
      const { rows } = await sql<{ state: string; error: string }>`select state, error from backup_runs order by id desc limit 1`.execute(
        db,
      )
      expect(rows[0]).toMatchObject({ state: 'failed', error: expect.stringMatching(/./) })
      expect((await lastBackup(db, new Date()))!.id).toBe(last!.id)
    },
  )

  it.skipIf(process.getuid?.() !== 0)('on a full disk fails, leaves nothing, and is recorded', { timeout: 400_000 }, async () => {
    const small = path.join(folder, 'small')
    await mkdir(small, { recursive: true })
    await run('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', small])
    try {
      expect((await shop(['backup', '--to', small])).code).toBe(1)
      expect(await files(small)).toEqual([])
      const { rows } = await sql`select state, error from backup_runs order by id desc limit 1`.execute(db)
      expect(rows).toEqual([{ state: 'failed', error: 'The disk is full.' }])
    } finally {
      await run('umount', [small])
    }
  })
})

describe('a restore', () => {
  const restore = (args: string[], databaseUrl: string) =>
    shop(['restore', ...args], { DATABASE_URL: databaseUrl, DATA_DIR: path.join(folder, 'other') })

  it.each<[string, (copy: string) => Promise<void>]>([
    ['with a flipped byte', flipByte],
    ['without its last bytes', async (copy) => truncate(copy, (await stat(copy)).size - 5)],
    ['cut in the middle', async (copy) => truncate(copy, 1_000_000)],
    ['with something after its end', async (copy) => writeFile(copy, 'tail', { flag: 'a' })],
    ['that is empty', (copy) => writeFile(copy, '')],
  ])('of a file %s is refused and changes nothing', async (_what, damage) => {
    const copy = path.join(folder, 'damaged')
    await writeFile(copy, await readFile(file))
    await damage(copy)
    const target = await newDatabase({ template: 'template1' })
    const { code, output } = await restore([copy], target.url)
    expect([code, await tablesOf(target.url)]).toEqual([1, 0])
    expect(output).toMatch(/damaged or incomplete|its end is missing/)
    expect(await files(path.join(folder, 'other', 'uploads'))).toEqual([])
    await target.drop()
  })

  it('killed half-way leaves the database empty, and can be repeated', { timeout: 400_000 }, async () => {
    const target = await newDatabase({ template: 'template1' })
    const watching = openDb(target.url, { max: 1, applicationName: 'test' })
    const isLoading = async () => {
      const { rows } = await sql`select 1 from pg_stat_activity where datname = current_database() and application_name = 'khamar-restore'
        and query like 'copy "audit_log"%' and state = 'active'`.execute(watching.db)
      return rows.length > 0
    }
    await killWhen(['restore', file], { DATABASE_URL: target.url, DATA_DIR: path.join(folder, 'killed') }, isLoading)
    await watching.close()
    await expect.poll(() => tablesOf(target.url)).toBe(0)
    expect(await restore([file], target.url)).toMatchObject({ code: 0, output: expect.stringContaining('Restored: rows and sums equal') })
    expect((await readFile(path.join(folder, 'other/uploads/cow.mp4'))).equals(await readFile(path.join(dataDir, 'uploads/cow.mp4')))).toBe(
      true,
    )
    expect(await restore([file], target.url)).toMatchObject({ code: 1, output: expect.stringContaining('The database is not empty.') })
    expect(await restore([file, '--replace'], target.url)).toMatchObject({ code: 1, output: expect.stringContaining('add --yes') })
    expect((await restore([file, '--replace', '--yes'], target.url)).code).toBe(0)
    await target.drop()
  })

  it('is refused while a shop runs on the database', async () => {
    // An idle connection of a pool without `min` closes after ten seconds: a slow restore would find no shop.
    const running = openDb(url, { max: 1, min: 1 })
    await sql`select 1`.execute(running.db)
    const { code, output } = await restore([file, '--replace', '--yes'], url)
    await running.close()
    expect([code, output]).toEqual([1, expect.stringContaining('The shop is running on this database')])
  })
})

async function flipByte(copy: string): Promise<void> {
  const handle = await open(copy, 'r+')
  const at = Math.floor((await handle.stat()).size / 2)
  const byte = Buffer.alloc(1)
  await handle.read(byte, 0, 1, at)
  await handle.write(Buffer.from([byte[0]! ^ 1]), 0, 1, at)
  await handle.close()
}

function run(program: string, args: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    spawn(program, args, { stdio: 'ignore' }).once('close', (code) => (code === 0 ? resolve() : reject(new Error(`${program}: ${code}`))))
  })
}
