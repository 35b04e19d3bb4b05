import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { placeOrder } from '#features/email/testing/place-order.ts'
import { COMMANDS } from '#scripts/shop/commands.ts'
import { openDb } from '#lib/db/db.server.ts'
import { newDatabase, testDb } from '#test/db.ts'
import { buildProduct } from '#test/factories.ts'
import { databaseAt, forwardToDatabase } from '#test/forward-database.ts'
import { freePort } from '#test/free-port.ts'
import { runScript } from '#test/run-script.ts'

// The command line as an operator types it.

const { db, url } = await testDb()
const folder = await mkdtemp(path.join(tmpdir(), 'khamar-command-'))
afterAll(() => rm(folder, { recursive: true, force: true }))
const dataDir = path.join(folder, 'data')
const shop = (args: string[], env: Record<string, string> = {}) =>
  runScript('scripts/shop.ts', { args, env: { DATA_DIR: dataDir, DATABASE_URL: url, ...env }, nice: 1 })

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
  // Commands of their own, two of them beside that of `npm run shop`.
  for (const name of ['owner', 'demo-clear', 'seed'])
    expect(await runScript(`scripts/${name}.ts`, { args: ['--help'], env: away })).toEqual({
      code: 0,
      output: expect.stringMatching(new RegExp(`^npm run ${name} -- `)),
    })
  expect(await shop(['bakcup'], away)).toEqual({ code: 2, output: `${overview.output}\nThere is no command "bakcup".\n` })
  expect(await shop(['backup', '--folder', 'x'], away)).toMatchObject({
    code: 1,
    output: expect.stringContaining('See npm run shop -- backup --help.'),
  })
}, 120_000)

it('npm run seed explains a database that it cannot reach in one line', async () => {
  expect(await runScript('scripts/seed.ts', { args: [], env: { DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none' } })).toEqual({
    code: 1,
    output: 'The database of DATABASE_URL cannot be used: connect ECONNREFUSED 127.0.0.1:1.\n',
  })
})

it('finishes when the reader of its output has gone', async () => {
  const command = (args: string) => `"${process.execPath}" --disable-warning=ExperimentalWarning ${args} | true; echo "\${PIPESTATUS[0]}"`
  const env = { PATH: process.env.PATH, DATA_DIR: dataDir, DATABASE_URL: url }
  const ended = (args: string) =>
    promisify(execFile)('bash', ['--norc', '-c', command(args)], { cwd: path.resolve(import.meta.dirname, '../..'), env })
  expect(await ended('scripts/shop.ts owner --phone 01712345678 --name Karim')).toEqual({ stdout: '0\n', stderr: '' })
  expect(await ended('scripts/owner.ts --phone 01712345678 --name Karim')).toEqual({ stdout: '0\n', stderr: '' })
})

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

it('a backup without the pictures of the shop says so, and is not the verified one that stays', async () => {
  const own = await newDatabase()
  onTestFinished(() => own.drop())
  const opened = openDb(own.url, { max: 1 })
  onTestFinished(() => opened.close())
  await sql`insert into images (token, width, height, widths, placeholder, created_at)
    select repeat(n::text, 32), 160, 120, '{160}', 'linear-gradient(#000,#000,#000,#000)', now() - interval '2 days'
    from generate_series(1, 2) n`.execute(opened.db)
  const elsewhere = await mkdtemp(path.join(folder, 'elsewhere-'))
  const backup = () => shop(['backup', '--verify'], { DATABASE_URL: own.url, DATA_DIR: elsewhere })
  const warning = (found: number) =>
    `The backup has ${found} of 2 pictures and videos: look whether DATA_DIR and UPLOADS are those of the shop.\n`
  expect(await backup()).toMatchObject({ code: 0, output: expect.stringContaining(warning(0)) })
  await mkdir(path.join(elsewhere, 'uploads'))
  await writeFile(path.join(elsewhere, 'uploads', `${'1'.repeat(32)}-160.webp`), 'a cow')
  expect((await backup()).output).toContain(warning(1))
  await writeFile(path.join(elsewhere, 'uploads', `${'2'.repeat(32)}-160.webp`), 'a cow')
  expect((await backup()).output).not.toContain('pictures and videos')
  const { rows } = await sql`select verified_at is not null as is_verified from backup_runs order by id`.execute(opened.db)
  expect(rows).toEqual([{ is_verified: false }, { is_verified: true }, { is_verified: true }])
}, 240_000)

it('check ends with 1 and names the rule and the row that is broken', async () => {
  const own = await newDatabase()
  const opened = openDb(own.url, { max: 1 })
  const check = () => shop(['check'], { DATABASE_URL: own.url })
  expect((await check()).code).toBe(0)
  const { id } = await placeOrder(opened.db)
  await sql`update orders set ledger_balance_poisha = 500 where id = ${id}`.execute(opened.db)
  await opened.close()
  const { code, output } = await check()
  await own.drop()
  expect([code, output]).toEqual([1, expect.stringContaining('order whose balance is not the sum of its ledger entries: 1 row\n')])
  expect(output).toContain(`id ${id}`)
  expect(output).toMatch(/^\d+ rules checked, \d broken\.$/m)
}, 120_000)

it('check names lost pictures, and files that an earlier release left when it was killed', async () => {
  const own = await newDatabase()
  onTestFinished(() => own.drop())
  const opened = openDb(own.url, { max: 1 })
  onTestFinished(() => opened.close())
  const [lost, whole, queued, left] = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(32))
  await sql`insert into images (token, width, height, widths, placeholder, created_at)
    select token, 160, 120, '{160}', 'linear-gradient(#000,#000,#000,#000)', now() - interval '2 days'
    from unnest(${[lost, whole]}::text[]) as t(token)`.execute(opened.db)
  await sql`insert into deleted_uploads (file_names) values (${[`${queued}.mp4`]})`.execute(opened.db)
  const place = path.join(await mkdtemp(path.join(folder, 'uploads-')), 'uploads')
  await mkdir(place)
  for (const name of [`${whole}-160.webp`, `${queued}.mp4`, `${left}-160.webp`, 'logo.png'])
    await writeFile(path.join(place, name), 'a cow')
  const { code, output } = await shop(['check'], { DATABASE_URL: own.url, DATA_DIR: path.dirname(place) })
  expect([code, output]).toEqual([
    0,
    expect.stringMatching(
      `all hold.\nPictures and videos without a file in ${place}: 1 of 2.\nFiles in ${place} of no picture or video, which cost space only: ${left}-160.webp\n$`,
    ),
  ])
  // Neither the rules nor their exit code depend on the pictures.
  await rm(place, { recursive: true })
  await writeFile(place, 'no folder')
  const unlisted = await shop(['check'], { DATABASE_URL: own.url, DATA_DIR: path.dirname(place) })
  expect([unlisted.code, unlisted.output]).toEqual([0, expect.stringMatching(/all hold\.\nPictures and videos were not compared: .+\n$/)])
}, 60_000)

describe('commands that change nothing', () => {
  it.each([['check'], ['export', 'out'], ['customer-data', '01711222333'], ['backup'], ['demo-clear', '--yes'], ['restore', 'x']])(
    '%s creates nothing in a mistyped folder',
    async (...args) => {
      const typo = path.join(folder, 'typo')
      const { code, output } = await shop(args, { DATA_DIR: typo, DATABASE_URL: '' })
      const line =
        args[0] === 'restore'
          ? `There is no file x, and no backup of that name in ${typo}/backups.\n`
          : `There is no shop in ${typo}: set DATA_DIR or DATABASE_URL as for the shop.\n`
      expect([code, output]).toEqual([1, line])
      expect(existsSync(typo)).toBe(false)
    },
  )

  it.each([['check'], ['export', 'out'], ['customer-data', '01711222333'], ['backup'], ['demo-clear', '--yes']])(
    '%s creates no table in an empty database',
    async (...args) => {
      const empty = await newDatabase({ template: 'template1' })
      const { code, output } = await shop(args, { DATABASE_URL: empty.url, BACKUP_TO: path.join(folder, 'none') })
      expect([code, output]).toEqual([1, 'There is no shop in this database: start the shop once, or set DATABASE_URL as for the shop.\n'])
      const opened = openDb(empty.url, { max: 1 })
      expect((await sql`select 1 from pg_tables where schemaname = 'public'`.execute(opened.db)).rows).toEqual([])
      await opened.close()
      await empty.drop()
    },
  )

  it('check, export and customer-data leave the schema of an older release to the shop that runs on it', async () => {
    const older = await newDatabase()
    const opened = openDb(older.url, { max: 1 })
    const newest = sql<{
      name: string
    }>`delete from schema_migrations where name = (select max(name) from schema_migrations) returning name`
    await newest.execute(opened.db)
    for (const args of [['check'], ['export', path.join(folder, 'out')], ['customer-data', '01711222333']])
      expect(await shop(args, { DATABASE_URL: older.url })).toEqual({
        code: 1,
        output: expect.stringMatching(/^The database is older than this copy of Khamar: start the shop/),
      })
    await opened.close()
    await older.drop()
  })
})

it('customer-data prints messages without the keys of their links', async () => {
  const phone = `018${String(Date.now()).slice(-8)}`
  await sql`insert into sms_outbox (purpose, template, phone, body)
    values ('order', 'order-placed', ${phone}, 'Order 1001: https://shop.example/invoice/1001?key=IakeVa-2XQko9PRc')`.execute(db)
  const { code, output } = await shop(['customer-data', phone])
  expect([code, (JSON.parse(output) as { messages: { body: string }[] }).messages[0]?.body]).toEqual([
    0,
    'Order 1001: https://shop.example/invoice/1001?key=•••',
  ])
})

it('waits for the database of a busy machine', async () => {
  const server = createServer((socket) => void setTimeout(() => forwardToDatabase(url, socket), 3_000))
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  expect(await shop(['customer-data', '01711222333'], { DATABASE_URL: databaseAt(url, port) })).toEqual({
    code: 1,
    output: 'Nothing is stored about the phone 01711222333.\n',
  })
})

it('refuses folders that are none, in a line', async () => {
  expect(await shop(['backup', '--to', ''])).toEqual({ code: 1, output: expect.stringMatching(/^--to must be a folder/) })
  expect(await shop(['restore', ''])).toEqual({ code: 1, output: 'One argument is needed. See npm run shop -- restore --help.\n' })
  expect(await shop(['restore', folder])).toMatchObject({
    output: expect.stringContaining(`${folder} is a folder: name the file of a backup.`),
  })
  const file = path.join(folder, 'a-file')
  await writeFile(file, 'x')
  expect(await shop(['backup', '--to', file])).toEqual({
    code: 1,
    output: `${file} cannot be used (EEXIST at mkdir): it is there already, and no folder; name a folder.\n`,
  })
  for (const place of [path.join(file, 'out'), '/proc/no/out'])
    expect(await shop(['export', place])).toEqual({ code: 1, output: expect.stringMatching(/cannot be used \(E\w+ at \w+\)[^\n]*\.\n$/) })
})

it('reads paths from the folder in which npm was called', async () => {
  const place = await mkdtemp(path.join(folder, 'usb-'))
  expect((await shop(['backup', '--to', '.'], { INIT_CWD: place })).code).toBe(0)
  const [name] = await readdir(place)
  expect(name).toMatch(/\.khamar-backup$/)
  // The connections of this file, which look like a running shop, close after ten idle seconds.
  await expect
    .poll(async () => (await shop(['restore', `./${name}`], { INIT_CWD: place })).output, { timeout: 30_000 })
    .toContain('The database is not empty.')
})

it('an export deletes no folder that it finds, and leaves none when it fails', async () => {
  const out = path.join(await mkdtemp(path.join(folder, 'export-')), 'export')
  await mkdir(`${out}.part`)
  await writeFile(path.join(`${out}.part`, 'letter.txt'), 'dear')
  expect(await shop(['export', out])).toEqual({ code: 1, output: expect.stringContaining('export.part is there') })
  expect(await readdir(`${out}.part`)).toEqual(['letter.txt'])
  await rm(`${out}.part`, { recursive: true })
  expect(await shop(['export', out])).toMatchObject({ code: 0, output: expect.stringMatching(/ rows, and (0 files|1 file) in uploads/) })
  expect(((await stat(out)).mode & 0o777).toString(8)).toBe('700')
})

it('move-uploads names a folder that is not there', async () => {
  const env = { DATA_DIR: path.join(folder, 'nowhere'), UPLOADS: 's3://shop/uploads', S3_ACCESS_KEY_ID: 'a', S3_SECRET_ACCESS_KEY: 'b' }
  const { code, output } = await shop(['move-uploads'], env)
  expect([code, output]).toEqual([1, `There is no folder ${path.join(folder, 'nowhere', 'uploads')}: set DATA_DIR as for the shop.\n`])
})
