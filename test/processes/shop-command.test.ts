import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { placeOrder } from '#features/email/testing/place-order.ts'
import { COMMANDS } from '#scripts/shop/commands.ts'
import { testDb } from '#test/db.ts'
import { buildProduct } from '#test/factories.ts'
import { runScript } from '#test/run-script.ts'

// The command line as an operator types it.

const { db, url } = await testDb()
const folder = await mkdtemp(path.join(tmpdir(), 'khamar-command-'))
afterAll(() => rm(folder, { recursive: true, force: true }))
const dataDir = path.join(folder, 'data')
const shop = (args: string[], env: Record<string, string> = {}) =>
  runScript('scripts/shop.ts', { args, env: { DATA_DIR: dataDir, DATABASE_URL: url, ...env } })

it('lists the commands, explains each without a database, and refuses an unknown one', async () => {
  const away = { DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none' }
  const overview = await shop(['--help'], away)
  expect([overview.code, (await shop([], away)).output]).toEqual([0, overview.output])
  for (const { name, summary } of COMMANDS) expect(overview.output).toContain(`  ${name.padEnd(13)}  ${summary}`)
  for (const { name, summary } of COMMANDS) {
    const { code, output } = await shop([name, '--help'], away)
    expect([name, code]).toEqual([name, 0])
    expect(output).toMatch(new RegExp(`^npm run shop -- ${name}\\b`))
    expect(output).toContain(summary)
  }
  expect(await shop(['bakcup'], away)).toEqual({ code: 2, output: overview.output })
  expect(await shop(['backup', '--folder', 'x'], away)).toMatchObject({
    code: 1,
    output: expect.stringContaining('See npm run shop -- backup --help.'),
  })
}, 120_000)

it('a backup is restored into a new folder with an embedded database', async () => {
  await buildProduct(db)
  await mkdir(path.join(dataDir, 'uploads'), { recursive: true })
  await writeFile(path.join(dataDir, 'uploads', 'cow-400.webp'), 'a cow')
  const own = await mkdtemp(path.join(folder, 'restore-'))
  const to = path.join(own, 'backups')
  expect(await shop(['backup', '--to', to])).toMatchObject({ code: 0, output: expect.stringContaining('All checksums were read back.') })
  const file = path.join(to, (await readdir(to))[0]!)
  const embedded = { DATA_DIR: path.join(own, 'new'), DATABASE_URL: '' }
  const restored = await shop(['restore', file], embedded)
  expect(restored, restored.output).toMatchObject({
    code: 0,
    output: expect.stringMatching(/products +\d\n[\s\S]*Restored: rows and sums equal/),
  })
  expect(await readFile(path.join(own, 'new', 'uploads', 'cow-400.webp'), 'utf8')).toBe('a cow')
  expect(await shop(['check'], embedded)).toMatchObject({ code: 0, output: expect.stringMatching(/^\d+ rules checked, all hold\.$/m) })
  expect(await shop(['restore', file], embedded)).toMatchObject({ code: 1, output: expect.stringContaining('The database is not empty.') })
}, 120_000)

it('check ends with 1 and names the rule and the row that is broken', async () => {
  expect((await shop(['check'])).code).toBe(0)
  const { id } = await placeOrder(db)
  await sql`update orders set ledger_balance_poisha = 500 where id = ${id}`.execute(db)
  const { code, output } = await shop(['check'])
  expect([code, output]).toEqual([1, expect.stringContaining('order whose balance is not the sum of its ledger entries: 1 row\n')])
  expect(output).toContain(`id ${id}`)
  expect(output).toMatch(/^\d+ rules checked, \d broken\.$/m)
}, 120_000)
