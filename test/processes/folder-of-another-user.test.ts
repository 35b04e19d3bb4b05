import { spawnSync } from 'node:child_process'
import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { newDatabase } from '#test/db.ts'
import { shared } from '#test/shared.ts'

await shared('pages')
const ROOT = path.resolve(import.meta.dirname, '../..')
const IS_ROOT = process.getuid?.() === 0
/** `nobody`: root may write everywhere. */
const USER = IS_ROOT ? { uid: 65_534, gid: 65_534 } : {}
/** A project in a folder that only root enters cannot be started by another user. */
const canStart = spawnSync(process.execPath, ['--version'], { cwd: ROOT, ...USER }).status === 0
const dataDir = await mkdtemp(path.join(tmpdir(), 'khamar-folder-'))
const uploads = path.join(dataDir, 'uploads')
const database = await newDatabase()
afterAll(async () => {
  await chmod(uploads, 0o755)
  await rm(dataDir, { recursive: true, force: true })
  await database.drop()
})

it.skipIf(!canStart)('a folder of uploads that belongs to another user ends the start with one line', async () => {
  await mkdir(uploads, { recursive: true })
  // A command that root ran has stored the logo.
  await writeFile(path.join(uploads, 'logo.png'), 'a logo')
  if (IS_ROOT) await chown(dataDir, USER.uid!, USER.gid!)
  else await chmod(uploads, 0o555)
  expect(run(['server/main.mjs'], { DATABASE_URL: overTcp(database.url) })).toEqual([
    1,
    '',
    `The folder ${uploads} cannot be written to by this user: start as its owner, or give it to this user.\n`,
  ])
})

it.skipIf(!canStart)('a command finds no shop in the database of another user, and says why', async () => {
  const postgres = path.join(dataDir, 'postgres')
  await mkdir(postgres, { recursive: true })
  await writeFile(path.join(postgres, 'PG_VERSION'), '18')
  await chmod(postgres, IS_ROOT ? 0o700 : 0)
  const answer = run(['scripts/shop.ts', 'check'], {})
  await chmod(postgres, 0o700)
  expect(answer).toEqual([1, '', `The database in ${dataDir} belongs to another user: run this as that user.\n`])
})

it.skipIf(!canStart)('a backup in a folder of another user is not called missing', async () => {
  const folder = path.join(dataDir, 'of-root')
  await mkdir(folder, { mode: IS_ROOT ? 0o700 : 0 })
  const file = path.join(folder, 'a.khamar-backup')
  expect(run(['scripts/shop.ts', 'restore', file], {})).toEqual([
    1,
    '',
    expect.stringMatching(`^${file} cannot be used \\(EACCES at access\\): `),
  ])
})

it.skipIf(!canStart)('the name of a stored backup is found from a folder of another user', async () => {
  const folder = path.join(dataDir, 'home-of-root')
  const backups = path.join(dataDir, 'backups')
  await mkdir(folder, { mode: IS_ROOT ? 0o700 : 0 })
  await mkdir(backups)
  await writeFile(path.join(backups, 'stored.khamar-backup'), 'no backup')
  const [status, , stderr] = run(['scripts/shop.ts', 'restore', 'stored.khamar-backup'], { INIT_CWD: folder, BACKUP_TO: backups })
  expect([status, stderr]).toEqual([1, expect.stringMatching(/^This is not a backup of Khamar, or its end is missing\. Copy it again/)])
})

function run(args: string[], env: Record<string, string>): unknown[] {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', ...args], {
    cwd: ROOT,
    encoding: 'utf8',
    timeout: 100_000,
    env: { PATH: process.env.PATH, TZ: 'UTC', DATA_DIR: dataDir, SESSION_SECRET: 'x'.repeat(32), ...env },
    ...USER,
  })
  return [status, stdout, stderr]
}

/** The socket of the test's server is in a folder of root. */
function overTcp(url: string): string {
  const tcp = new URL(url)
  tcp.searchParams.delete('host')
  return tcp.href
}
