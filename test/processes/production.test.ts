import { spawn } from 'node:child_process'
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, expect, it, onTestFinished } from 'vitest'
import { ACCOUNTS, DEMO_PASSWORD } from '#db/demo/people.ts'
import { openDb } from '#lib/db/db.server.ts'
import { freePort } from '#test/free-port.ts'
import { DEMO_TEMPLATE } from '#test/clone.ts'
import { newDatabase } from '#test/db.ts'
import { orderBody, type OrderBody } from '#test/factories.ts'
import { runScript } from '#test/run-script.ts'
import { shared } from '#test/shared.ts'
import { startShopProcess, type ShopProcess } from '#test/shop-process.ts'
import { Visitor } from '#test/visitor.ts'

// A newcomer's demo becomes a shop: production refuses the demo, `npm run demo-clear` removes it.

await shared('pages')
const dataDir = await mkdtemp(path.join(tmpdir(), 'khamar-production-'))
await cp(path.join(await shared('demo'), 'uploads'), path.join(dataDir, 'uploads'), { recursive: true })
const database = await newDatabase({ template: DEMO_TEMPLATE })
const { db, close } = openDb(database.url, { max: 1, applicationName: 'khamar-test' })
afterAll(async () => {
  await close()
  await database.drop()
  await rm(dataDir, { recursive: true, force: true })
})

const port = String(await freePort())
const SETTINGS = { DATA_DIR: dataDir, DATABASE_URL: database.url, PORT: port }
const PRODUCTION = { NODE_ENV: 'production', SESSION_SECRET: 'x'.repeat(32), PUBLIC_URL: `http://127.0.0.1:${port}`, RATE_LIMIT: 'on' }
const OWNER = ACCOUNTS[0]

const start = (env: Record<string, string>) => runScript('server/main.mjs', { env: { ...SETTINGS, ...env } })
const clear = (...args: string[]) => runScript('scripts/demo-clear.ts', { args, env: SETTINGS })
async function open(env: Record<string, string>): Promise<ShopProcess> {
  const shop = await startShopProcess({ databaseUrl: database.url, dataDir, env: { PORT: port, ...env } })
  onTestFinished(shop.kill)
  return shop
}

/** Runs a script in a terminal (`script` of util-linux), so that it asks. */
function inTerminal(file: string) {
  const command = `${process.execPath} --disable-warning=ExperimentalWarning ${file}`
  const child = spawn('script', ['-qec', command, '/dev/null'], { env: { PATH: process.env.PATH, TZ: 'UTC', TERM: 'dumb', ...SETTINGS } })
  let output = ''
  child.stdout.on('data', (chunk) => (output += String(chunk)))
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  return { output: () => output, type: (text: string) => child.stdin.write(text), ended }
}

it.each<[string, Record<string, string>]>([
  ['in production', PRODUCTION],
  ['in production with DEMO=off', { ...PRODUCTION, DEMO: 'off' }],
  ['with DEMO=off where others reach it', { DEMO: 'off', HOST: '0.0.0.0' }],
  ['with DEMO=off behind a proxy', { DEMO: 'off', TRUST_PROXY: '127.0.0.1' }],
])('the demo does not open %s: one line says what to do', async (_how, env) => {
  expect(await start(env)).toEqual({
    code: 1,
    output: expect.stringMatching(
      /^This database holds the demo shop, whose accounts and password are published: .*npm run demo-clear.*\n$/,
    ),
  })
})

it('without its mark it does not open either, while one staff account has the published password', async () => {
  onTestFinished(async () => void (await sql`insert into settings (key, value) values ('demo_shop', 'true')`.execute(db)))
  await sql`delete from settings where key = 'demo_shop'`.execute(db)
  const phones = ACCOUNTS.filter(({ role }) => role !== 'customer')
    .map(({ phone }) => phone)
    .join(', ')
  expect(await start(PRODUCTION)).toEqual({
    code: 1,
    output: expect.stringMatching(
      new RegExp(`^Accounts of the demo shop \\(${phones}\\) still have its password: .*npm run demo-clear.*\\n$`),
    ),
  })
})

/** One order and one removal, also of several tries: what stays of the demo is counted. */
let laterOrder: OrderBody | undefined
let removal: ReturnType<typeof clear> | undefined
let owners = 0

it('asked to be open to others as a demo, it says loudly what that means', async () => {
  const shop = await open({ DEMO: 'on', HOST: '0.0.0.0' })
  await expect
    .poll(() => shop.output())
    .toMatch(
      /^WARNING: this shop can be reached from outside \(HOST=0\.0\.0\.0\) and has the demo accounts, whose password is published\. .*NODE_ENV=production\.$/m,
    )
  const customer = new Visitor(shop.url)
  const { rows } = await sql<{ area: number; product: number; quantity: number }>`
    select (select min(id) from areas) as area, id as product, coalesce(sizes_milli[1], 1000) / 1000 as quantity
    from products where not is_unique and status = 'in-stock' and (stock_milli is null or stock_milli >= 50000) order by id limit 1`.execute(
    db,
  )
  const { area, product, quantity } = rows[0]!
  const cash = { payment_type: 'cash_on_delivery', payment_gateway: 'NONE' }
  laterOrder ??= orderBody(area, [[product, quantity]], cash)
  const answer = await customer.post('/customer-orders', laterOrder, { key: 'later-order' })
  expect(answer.status, answer.text).toBe(200)

  expect(await clear('--yes')).toEqual({ code: 1, output: 'The shop is running on this database: stop all of its processes first.\n' })
  await shop.stop()
})

it('the demo is removed only when that is confirmed', async () => {
  const asked = await clear()
  expect(asked.code).toBe(1)
  expect(asked.output).toMatch(
    /^From the database .* the demo goes: 12 orders, \d+ products, 10 accounts and customers, 6 coupons, \d+ pictures\.$/m,
  )
  expect(asked.output).toMatch(/^Stays: 1 order placed later \(--all-orders removes them too\)\.$/m)
  expect(asked.output).toMatch(/^Nothing was removed\. To go on, add --yes\.$/m)
  expect((await start(PRODUCTION)).code).toBe(1)
  expect(await clear('--everything')).toEqual({ code: 1, output: expect.stringMatching(/^Unknown option .*npm run demo-clear.*\n$/) })
})

it.runIf(process.platform === 'linux')('a shop that was started while the question was open keeps its demo', async () => {
  const before = await sql`select count(*) from products`.execute(db)
  const asking = inTerminal('scripts/demo-clear.ts')
  await expect.poll(asking.output, { timeout: 60_000 }).toMatch(/Type yes to go on: $/)
  const started = openDb(database.url, { max: 1, applicationName: 'khamar' })
  await sql`select 1`.execute(started.db)
  asking.type('yes\n')
  expect(await asking.ended).toBe(1)
  expect(asking.output()).toMatch(/The shop is running on this database: stop all of its processes first\.\s*$/)
  await started.close()
  expect(await sql`select count(*) from products`.execute(db)).toEqual(before)
})

it('once removed, production opens, and the published accounts do not', async () => {
  removal ??= clear('--yes')
  expect(await removal).toEqual({ code: 0, output: expect.stringMatching(/^Removed: 12 orders, .*\.\n(Stayed: .*\n)+Next: npm run owner/) })
  // The picture of the one product that a remaining order refers to, and the shop's own logo.
  const { rows } = await sql<{ token: string }>`select token from images`.execute(db)
  expect(rows).toHaveLength(1)
  const files = await readdir(path.join(dataDir, 'uploads'))
  expect(files.filter((file) => !file.startsWith(rows[0]!.token))).toEqual(['logo.png'])
  expect(await clear('--yes')).toEqual({
    code: 1,
    output: expect.stringMatching(/^There is no demo in the database .*: nothing was removed\.\n$/),
  })

  const phone = `01911222${String(333 + owners++)}`
  const made = await runScript('scripts/owner.ts', {
    args: ['--phone', phone, '--name', 'Karim', '--password-stdin'],
    env: { ...SETTINGS, ...PRODUCTION },
    stdin: 'three brown cows',
  })
  // The shop stays open: an order remains.
  expect(made).toEqual({
    code: 0,
    output: expect.stringMatching(new RegExp(`^Karim \\(${phone}\\) is an owner\\.\\nNext: start the shop .*/login\\?way=password\\.\\n$`)),
  })
  const shop = await open(PRODUCTION)
  expect(shop.output()).not.toContain('WARNING')
  for (const name of [OWNER.phone, OWNER.email]) expect((await new Visitor(shop.url).signIn(name, DEMO_PASSWORD)).status).toBe(422)
  const owner = new Visitor(shop.url)
  expect((await owner.signIn(phone, 'three brown cows')).body).toMatchObject({ redirect: '/admin' })
  const list = await owner.get('/admin/orders', { accept: 'text/html' })
  expect([list.status, (await new Visitor(shop.url).get('/', { accept: 'text/html' })).status]).toEqual([200, 200])

  // An untrusted proxy is logged once.
  const warnings = () => shop.output().match(/X-Forwarded-For/g)?.length ?? 0
  expect(warnings()).toBe(0)
  for (const ip of ['1.2.3.4', '5.6.7.8']) await new Visitor(shop.url).get('/healthz', { 'x-forwarded-for': ip })
  await expect.poll(warnings).toBe(1)
  expect(shop.output()).not.toMatch(/1\.2\.3\.4|5\.6\.7\.8/)
  await shop.stop()
})

it('the demo does not come back', async () => {
  const shop = await open({ DEMO: 'on' })
  await shop.stop()
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from products where visible`.execute(db)
  expect(rows).toEqual([{ n: 0 }])
})
