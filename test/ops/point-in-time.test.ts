import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listTables, readTotals } from '#features/backup/tables.server.ts'
import { openDb } from '#lib/db/db.server.ts'
import { migrate } from '#server/migrate.ts'
import { buildArea, buildProduct, openToVisitors, orderBody } from '#test/factories.ts'
import { freePort } from '#test/free-port.ts'
import { runScript } from '#test/run-script.ts'
import { shared } from '#test/shared.ts'
import { startShopProcess, type ShopProcess } from '#test/shop-process.ts'
import { Visitor } from '#test/visitor.ts'

// The commands of docs/operations.md for a recovery to a moment, as written there, on a cluster of its own. As root on Debian or Ubuntu, with
// postgresql and pgbackrest installed: RECOVERY=1 npm test -- test/ops/point-in-time.test.ts

const CLUSTER = 'khamar-try'
const DOCUMENT = readFileSync(path.resolve(import.meta.dirname, '../../docs/operations.md'), 'utf8')
const SECTION = DOCUMENT.slice(DOCUMENT.indexOf('### To any moment'), DOCUMENT.indexOf("## A customer's data"))
const [INSTALL = '', RECOVER = ''] = [...SECTION.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block!)

/** Runs a program as root; throws with what it printed. */
function run(program: string, args: string[], input = ''): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, { input, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed: ${error?.message ?? ''}${stdout}${stderr}`)
  return stdout
}

describe.skipIf(!process.env.RECOVERY)('recovery to a moment', () => {
  const version = process.env.RECOVERY ? readdirSync('/usr/lib/postgresql').toSorted().at(-1)! : ''
  const folder = process.env.RECOVERY ? mkdtempSync(path.join(tmpdir(), 'khamar-recovery-')) : ''
  const config = path.join(folder, 'pgbackrest.conf')
  let port = 0
  let url = ''
  let shop: ShopProcess | null = null

  /** Runs a block of the document on the cluster and the folders of this test. */
  const asWritten = (block: string, change: (text: string) => string = (text) => text) =>
    run(
      'bash',
      ['-eux', '-o', 'pipefail'],
      change(block)
        .replace(/^apt-get .*$/m, '')
        .replace(/^PG=\d+ CLUSTER=main/m, `PG=${version} CLUSTER=${CLUSTER}`)
        .replace('PORT=5432', `PORT=${port}`)
        .replaceAll('/etc/pgbackrest.conf', config)
        .replaceAll('/var/lib/pgbackrest', path.join(folder, 'repository'))
        .replaceAll('pgbackrest --stanza', `pgbackrest --config=${config} --stanza`),
    )
  const recoverTo = (target: string, timeline = '') =>
    asWritten(RECOVER, (text) =>
      text.replace(/TARGET='.*?'/, `TARGET='${target}'`).replace('--target-action=promote', (action) => `${timeline} ${action}`),
    )
  const psql = (text: string, database = 'postgres') =>
    run('runuser', ['-u', 'postgres', '--', 'psql', '--cluster', `${version}/${CLUSTER}`, '-d', database, '-qAtc', text])
  const totals = async () => {
    const { pool, close } = openDb(url, { max: 1 })
    const client = await pool.connect()
    const found = await readTotals(client, await listTables(client))
    client.release()
    await close()
    return { orders: found.orders, ledger_entries: found.ledger_entries, order_lines: found.order_lines, products: found.products }
  }
  const now = () => psql('select clock_timestamp()').trim()
  const dataDir = path.join(folder, 'data')
  const check = () => runScript('scripts/shop.ts', { args: ['check'], env: { DATA_DIR: dataDir, DATABASE_URL: url } })

  async function order(count: number): Promise<void> {
    const { db, close } = openDb(url, { max: 1 })
    const area = await buildArea(db, { produce: 80 })
    const honey = await buildProduct(db, { unit: 'piece', stock_milli: 900_000 })
    await close()
    const visitor = new Visitor(shop!.url)
    const cash = { payment_type: 'cash_on_delivery', payment_gateway: 'NONE' }
    for (let n = 0; n < count; n++)
      expect((await visitor.post('/customer-orders', orderBody(area.id, [[honey.id, 1]], cash))).status).toBe(200)
  }

  beforeAll(async () => {
    await shared('pages')
    port = await freePort()
    run('chown', ['postgres', folder])
    run('pg_createcluster', [version, CLUSTER, '--port', String(port), '--start', '--', '--encoding', 'UTF8', '--locale', 'C.UTF-8'])
    psql(`create role khamar login password 'khamar'`)
    psql('create database khamar owner khamar')
    url = `postgresql://khamar:khamar@127.0.0.1:${port}/khamar`
    await migrate(url)
    const { db, close } = openDb(url, { max: 1 })
    await openToVisitors(db)
    await close()
  })
  afterAll(async () => {
    await shop?.stop()
    run('pg_dropcluster', [version, CLUSTER, '--stop'])
    rmSync(folder, { recursive: true, force: true })
  })

  it('brings back what a mistake deleted, to the poisha, and another moment afterwards', async () => {
    shop = await startShopProcess({ databaseUrl: url, dataDir })
    await order(10)
    asWritten(INSTALL)
    await shop.stop()
    shop = await startShopProcess({ databaseUrl: url, dataDir })
    await order(15)
    const [early, earlyTotals] = [now(), await totals()]
    await sleep(1_500)
    await order(20)
    const [moment, expected] = [now(), await totals()]
    await sleep(1_500)
    await order(5)
    psql('truncate orders cascade', 'khamar')
    await shop.stop()
    shop = null

    recoverTo(moment)
    expect(await totals()).toEqual(expected)
    expect(await check()).toMatchObject({ code: 0, output: expect.stringContaining('all hold') })

    recoverTo(early, '--target-timeline=1')
    expect(await totals()).toEqual(earlyTotals)
    recoverTo(moment, '--target-timeline=1')
    expect(await totals()).toEqual(expected)
    shop = await startShopProcess({ databaseUrl: url, dataDir })
    await order(3)
    expect((await totals()).orders!.rows).toBe(expected.orders!.rows + 3)
    expect((await check()).code).toBe(0)
    // The log of the new timeline is stored too.
    run('runuser', ['-u', 'postgres', '--', 'pgbackrest', `--config=${config}`, '--stanza=khamar', '--type=full', 'backup'])
  }, 1_200_000)
})
