import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { closeSync, openSync, writeSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, expect, it } from 'vitest'
import { startSmtp } from '#features/email/testing/start-smtp.ts'
import { openDb } from '#lib/db/db.server.ts'
import { LONG_TIMEOUTS } from '#test/clone.ts'
import { buildArea, buildProduct, buildUser, orderBody } from '#test/factories.ts'
import { countStock, expectInvariants } from '#test/invariants.ts'
import { postFiles } from '#test/multipart.ts'
import { ownPostgres } from '#test/own-postgres.ts'
import { shared } from '#test/shared.ts'
import { startShopProcess, type ShopProcess } from '#test/shop-process.ts'
import { type Answer, Visitor } from '#test/visitor.ts'

// Two whole processes on one PostgreSQL with a mail server: what they depend on stops, hangs and fills up while shoppers order.

await shared('pages')
const [postgres, smtp] = await Promise.all([ownPostgres(), startSmtp()])
const { db, close } = openDb(postgres.url, { max: 4, ...LONG_TIMEOUTS })
const folders: string[] = []
const running = new Set<ShopProcess>()
afterAll(async () => {
  for (const shop of running) await shop.kill()
  await close()
  await smtp.close()
  await postgres.remove()
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
})

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'khamar-faults-'))
  folders.push(folder)
  return folder
}

const EMAIL = { SMTP_HOST: '127.0.0.1', SMTP_PORT: String(smtp.port), EMAIL_FROM: 'orders@farm.example' }
async function open(dataDir: string, env: Record<string, string> = EMAIL): Promise<ShopProcess> {
  const shop = await startShopProcess({ databaseUrl: postgres.url, dataDir, env: { SESSION_SECRET: 'x'.repeat(40), ...env } })
  running.add(shop)
  return shop
}

let shops: ShopProcess[] = []
/** Two running processes, and no other one: those of the test before, unless a try of it has ended one or left another. */
async function openTwo() {
  await postgres.start()
  if (running.size !== 2 || !shops.every((shop) => running.has(shop))) {
    for (const shop of running) await shop.kill()
    running.clear()
    shops = await Promise.all([open(await makeFolder()), open(await makeFolder())])
  }
  const [one, two] = shops as [ShopProcess, ShopProcess]
  const [here, there] = [one, two].map((shop) => new Visitor(shop.url, { storesCookies: false })) as [Visitor, Visitor]
  return { one, two, here, there }
}
const area = await buildArea(db, { produce: 80 })
const honey = await buildProduct(db, { unit: 'piece', stock_milli: 5_000_000 })
const stock = await countStock(db)
const CASH = { payment_type: 'cash_on_delivery', payment_gateway: 'NONE' }

function order(email = 'rahima@mail.example') {
  const body = orderBody(area.id, [[honey.id, 1]], CASH)
  return { ...body, customer: { ...body.customer, email } }
}

it('PostgreSQL is restarted under orders of two processes: both go on by themselves, and nothing is lost or doubled', async () => {
  const { here, there } = await openTwo()
  const run = randomUUID()
  const sent: { key: string; body: ReturnType<typeof order>; answer: Answer | null; from: Visitor }[] = []
  let isOver = false
  const buyer = async (from: Visitor) => {
    while (!isOver) {
      const one: (typeof sent)[number] = { key: `${run}-${sent.length}`, body: order(), answer: null, from }
      sent.push(one)
      one.answer = await from.post('/customer-orders', one.body, { key: one.key }).catch(() => null)
      if (one.answer?.status !== 200) await sleep(50)
    }
  }
  const answered = (by: Visitor) => sent.filter(({ answer, from }) => from === by && answer?.status === 200).length
  const enough = (more: number) => expect.poll(() => Math.min(answered(here), answered(there)), { timeout: 30_000 }).toBeGreaterThan(more)
  const buying = Promise.all([here, there].flatMap((visitor) => [buyer(visitor), buyer(visitor)]))
  try {
    await enough(5)
    await postgres.stop()
    await sleep(300)
    await postgres.start()
    await enough(Math.max(answered(here), answered(there)) + 5)
  } finally {
    isOver = true
    await buying
  }
  expect(new Set(sent.map(({ answer }) => answer?.status))).toEqual(new Set([200, 503]))
  for (const { key, body, answer, from } of sent) {
    const again = await (from === here ? there : here).post('/customer-orders', body, { key })
    expect(again.status, again.text).toBe(200)
    if (answer?.status === 200) expect(again.text).toBe(answer.text)
  }
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from orders where idempotency_key like ${`guest:${run}-%`}`.execute(
    db,
  )
  expect(rows[0]!.n).toBe(sent.length)
  await expectInvariants(db, stock)
}, 120_000)

it('the mail server hangs: orders stay quick, SIGTERM ends in time, and what a killed process was sending is sent once', async () => {
  const { one, two, here, there } = await openTwo()
  // Emails of the orders before are not this test's.
  await sql`update orders set email = ''`.execute(db)
  await sql`truncate email_outbox`.execute(db)
  await sleep(300)
  smtp.received.length = 0
  smtp.faults.push(...Array.from({ length: 50 }, () => 'hang' as const))
  const emails = Array.from({ length: 8 }, (_, index) => `buyer-${index}@mail.example`)
  // Queued together: of one that is queued alone, a process waits for the end before it sends more.
  await sql`update email_state set enabled_at = null`.execute(db)
  for (const email of emails) expect((await here.post('/customer-orders', order(email))).status).toBe(200)
  await sql`update email_state set enabled_at = now() - interval '1 hour'`.execute(db)
  const states = async () => {
    const { rows } = await sql<{ state: string; n: number }>`select e.state, count(*)::int as n from email_outbox e
      join orders o on o.id = e.order_id where o.email like 'buyer-%' group by 1`.execute(db)
    return rows
  }
  // A process sends four at once: both are sending.
  await expect.poll(states, { timeout: 60_000 }).toEqual([{ state: 'sending', n: emails.length }])
  const times: number[] = []
  for (let number = 0; number < 10; number++) {
    const startedAt = performance.now()
    expect((await (number % 2 ? here : there).post('/customer-orders', order())).status).toBe(200)
    times.push(performance.now() - startedAt)
  }
  expect(times.toSorted((a, b) => a - b)[5]).toBeLessThan(1_000)

  const opening = open(await makeFolder())
  const stopping = performance.now()
  for (const shop of [one, two]) running.delete(shop)
  await Promise.all([one.stop(), two.kill()])
  expect(performance.now() - stopping).toBeLessThan(10_000)
  smtp.faults.length = 0
  expect(smtp.received).toEqual([])
  // A row in state `sending` is taken over three minutes later.
  await sql`update email_outbox set updated_at = updated_at - interval '3 minutes'`.execute(db)
  await opening
  await expect.poll(states, { timeout: 60_000 }).toEqual([{ state: 'sent', n: emails.length }])
  const recipients = smtp.received.flatMap(({ to }) => (to ? [to].flat().map(({ text }) => text) : []))
  expect(recipients.filter((to) => to.startsWith('buyer-')).toSorted()).toEqual(emails)
  await expectInvariants(db, stock)
}, 180_000)

/** Writes until nothing fits any more. */
function fill(file: string): void {
  const handle = openSync(file, 'w')
  for (const size of [65_536, 4_096, 1]) {
    try {
      while (true) if (writeSync(handle, Buffer.alloc(size)) < size) break
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
    }
  }
  closeSync(handle)
}

it.skipIf(process.getuid?.() !== 0)(
  'the disk of the uploads is full: orders go on, a picture is refused whole, and accepted when there is room',
  async () => {
    const dataDir = await makeFolder()
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16m', 'khamar-test', dataDir])
    try {
      const shop = await open(dataDir, {})
      const staff = new Visitor(shop.url)
      await staff.signIn((await buildUser(db, { role: 'manager' })).phone)
      const noise = { type: 'gaussian' as const, mean: 128, sigma: 30 }
      const photo = await sharp({ create: { width: 900, height: 600, channels: 3, background: '#a05030', noise } })
        .jpeg()
        .toBuffer()
      const upload = () => postFiles(staff, '/admin/uploads/images', [{ bytes: photo }])
      const stored = async () => [
        (await readdir(path.join(dataDir, 'uploads'))).toSorted(),
        (await sql`select id from images order by id`.execute(db)).rows,
      ]
      expect((await upload()).status).toBe(200)
      const before = await stored()
      fill(path.join(dataDir, 'filler'))
      const shopper = new Visitor(shop.url, { storesCookies: false })
      const [refused, ...orders] = await Promise.all([upload(), ...[1, 2, 3, 4].map(() => shopper.post('/customer-orders', order()))])
      expect(orders.map(({ status }) => status)).toEqual([200, 200, 200, 200])
      expect([refused.status, refused.body.message]).toEqual([503, expect.stringMatching(/disk/i)])
      expect(await stored()).toEqual(before)
      expect((await shopper.get('/', { accept: 'text/html' })).status).toBe(200)
      await rm(path.join(dataDir, 'filler'))
      expect((await upload()).status).toBe(200)
      expect(shop.output()).toContain('the disk is full')
      running.delete(shop)
      await shop.stop()
    } finally {
      execFileSync('umount', ['-l', dataDir])
    }
    await expectInvariants(db, stock)
  },
  120_000,
)
