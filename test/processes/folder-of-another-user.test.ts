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
  await mkdir(uploads)
  // A command that root ran has stored the logo.
  await writeFile(path.join(uploads, 'logo.png'), 'a logo')
  if (IS_ROOT) await chown(dataDir, USER.uid!, USER.gid!)
  else await chmod(uploads, 0o555)
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', 'server/main.mjs'], {
    cwd: ROOT,
    encoding: 'utf8',
    timeout: 20_000,
    env: { PATH: process.env.PATH, TZ: 'UTC', DATA_DIR: dataDir, DATABASE_URL: overTcp(database.url), SESSION_SECRET: 'x'.repeat(32) },
    ...USER,
  })
  expect([status, stdout, stderr]).toEqual([
    1,
    '',
    `The folder ${uploads} cannot be written to by this user: start as its owner, or give it to this user.\n`,
  ])
})

/** The socket of the test's server is in a folder of root. */
function overTcp(url: string): string {
  const tcp = new URL(url)
  tcp.searchParams.delete('host')
  return tcp.href
}
