import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { openDb } from '#lib/db/db.server.ts'
import { buildArea, buildProduct, orderBody } from '#test/factories.ts'
import { startShop, type Shop } from '#test/server.ts'
import { Visitor } from '#test/visitor.ts'

// An order fails with an unexpected error. PostgreSQL's message contains the whole row; the log must not.

// A stray promise of the shop, as a library may leave one.
const STRAY = Buffer.from(`process.on('SIGUSR2', () => {
  Promise.reject(Object.assign(new Error('stray'), { detail: 'Failing row contains (Secretname)' }))
})`).toString('base64')

const shop: Shop = await startShop({ env: { LOG_LEVEL: 'trace', NODE_OPTIONS: `--import=data:text/javascript;base64,${STRAY}` } })
let isOver = false
afterAll(async () => {
  if (!isOver) await shop.stop()
})

const PERSON = {
  name: 'রহিম Secretname',
  phone: '01853127062',
  alternate_phone: '01953127063',
  email: 'secret.mail@example.com',
  address: 'Secretroad 12',
  landmark: 'Secretmosque',
  note: 'Secretnote',
}
const VIEW_KEY = 'view-key-of-the-order'

it('neither the log nor the console repeats what the customer typed, at the most talkative level', async () => {
  const { db, close } = openDb(shop.databaseUrl, { max: 1 })
  try {
    const area = await buildArea(db, { produce: 80 })
    const mango = await buildProduct(db)
    await sql`create or replace function known_key() returns trigger language plpgsql as $$
      begin new.view_key := '${sql.raw(VIEW_KEY)}'; return new; end $$`.execute(db)
    await sql`create or replace trigger a_known_key before insert on orders for each row execute function known_key()`.execute(db)
    await sql`alter table orders drop constraint if exists unforeseen, add constraint unforeseen check (phone <> '${sql.raw(PERSON.phone)}') not valid`.execute(
      db,
    )
    const countErrors = () => shop.output().split('"msg":"unexpected error"').length - 1
    const before = countErrors()
    const cash = { payment_type: 'cash_on_delivery', payment_gateway: 'NONE' }
    const body = orderBody(area.id, [[mango.id, 1]], { ...cash, customer: { ...PERSON, area_id: area.id } })
    const answers = await Promise.all([1, 2, 3].map(() => new Visitor(shop.url).post('/customer-orders', body)))
    expect(answers.map(({ status }) => status)).toEqual([500, 500, 500])
    await expect.poll(countErrors).toBe(before + 3)
    const ids = answers.map(({ body }) => body.request_id)
    expect(new Set(ids).size).toBe(3)
    for (const id of ids) expect([id, shop.output()]).toEqual([expect.stringMatching(/^[\da-f-]{36}$/), expect.stringContaining(`${id}`)])
    expect(shop.output()).toContain('"constraint":"unforeseen"')
    expectSilence()
  } finally {
    await close()
  }
})

it('an error that nothing catches ends the process with 1, and is told without its fields', async () => {
  // A second try asks about the end of the first.
  if (!isOver) process.kill(shop.pid, 'SIGUSR2')
  expect(await shop.ended).toBe(1)
  isOver = true
  expect(shop.output()).toMatch(/^Unexpected error, stopping: Error: stray$/m)
  expectSilence()
})

function expectSilence(): void {
  const said = shop.output()
  expect(said).not.toMatch(/Failing row/)
  for (const secret of [...Object.values(PERSON), 'Secret', VIEW_KEY]) expect(said).not.toContain(secret)
}
