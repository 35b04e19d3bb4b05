import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { DEFAULT_SETTINGS } from '#features/settings/settings.ts'
import { queuePaymentEmail } from '#features/messaging/queue-email.server.ts'
import { testDb } from '#test/db.ts'
import { buildCoupon } from '#test/factories.ts'
import '#messages/bn.ts'
import '#messages/en.ts'
import { recordEmailGateway } from './outbox.server.ts'
import { type EmailDeps, sendEmails } from './send-emails.server.ts'
import { smtpGateway } from './smtp.server.ts'
import { placeOrder } from './testing/place-order.ts'
import { startSmtp } from './testing/start-smtp.ts'

// The outbox on a real database, and mail over a real connection to a server that also misbehaves.

const { db } = await testDb()
const smtp = await startSmtp()
const settings = structuredClone(DEFAULT_SETTINGS)
Object.assign(settings.shop, { name: { en: 'Green Farm', bn: 'সবুজ খামার' }, phone: '09612345678', email: 'shop@farm.example' })
const server = {
  host: '127.0.0.1',
  port: smtp.port,
  isSecure: false,
  account: null,
  sender: { name: null, address: 'orders@farm.example' },
}
const gateway = smtpGateway(server)
const deps: EmailDeps = {
  db,
  email: gateway,
  env: { publicUrl: 'https://shop.example' },
  shopCache: { settings: () => Promise.resolve(settings) },
  log: {
    warn() {},
    error(detail) {
      throw new Error(JSON.stringify(detail))
    },
  },
}
afterAll(() => smtp.close())
beforeEach(async () => {
  await sql`truncate email_outbox`.execute(db)
  await sql`update orders set email = ''`.execute(db)
  await sql`update email_state set enabled_at = now() - interval '2 hours', scanned_until = now() - interval '10 minutes'`.execute(db)
  smtp.received.length = 0
  smtp.faults.length = 0
})

const place = (row: Record<string, unknown> = {}) => placeOrder(db, row)
type Row = { kind: string; state: string; failure: string | null; attempts: number; waits: number }
async function rows(): Promise<Row[]> {
  const found = await sql<Row>`select kind, state, failure, attempts, round(extract(epoch from not_before - now()))::int as waits
    from email_outbox order by id`.execute(db)
  return found.rows
}
const dueNow = () => sql`update email_outbox set not_before = now()`.execute(db)

describe('order confirmations', () => {
  it('sends one mail with items, sums and the secret link, as text and HTML', async () => {
    const order = await place({ name: 'Rahima Khatun' })
    await sendEmails(deps)
    const { view_key } = await db.selectFrom('orders').select('view_key').where('id', '=', order.id).executeTakeFirstOrThrow()
    const mail = smtp.received[0]!
    expect(smtp.received).toHaveLength(1)
    expect(mail.subject).toBe(`Green Farm: order ${order.id}`)
    expect(mail.from?.text).toBe('"Green Farm" <orders@farm.example>')
    expect(mail.replyTo?.text).toBe('shop@farm.example')
    for (const part of [mail.text!, String(mail.html).replaceAll('&amp;', '&')]) {
      expect(part).toContain(`https://shop.example/invoice/${order.id}?key=${view_key}`)
      expect(part).toContain('Rahima Khatun')
      expect(part).toContain('Total')
      expect(part).toContain('Due')
    }
    expect(mail.html).not.toMatch(/<img|<script|url\(/i)
    expect(await rows()).toMatchObject([{ kind: 'order-placed', state: 'sent', failure: null, attempts: 1 }])
  })

  it('writes Bengali for an order placed in Bengali', async () => {
    await place({ lang: 'bn', name: 'রহিমা' })
    await sendEmails(deps)
    expect(smtp.received[0]!.text).toMatch(/প্রিয় রহিমা/)
    expect(smtp.received[0]!.text).not.toMatch(/Total|Order/)
  })

  it('names the coupon of the order, as its invoice does', async () => {
    const order = await place({ discount_poisha: 2400, total_poisha: 21_600, shipping_poisha: 0 })
    const coupon = await buildCoupon(db, { code: 'EID10' })
    await sql`insert into coupon_uses (order_id, coupon_id, customer_id, code, discount_poisha, delivery_saved_poisha, at)
      select id, ${coupon.id}, customer_id, 'EID10', 2400, 8000, now() from orders where id = ${order.id}`.execute(db)
    await sendEmails(deps)
    const { text } = smtp.received[0]!
    expect(text).toContain('Coupon EID10: −৳24\n')
    expect(text).toContain('Delivery charge (৳80 off with coupon EID10): ৳0\n')
  })

  it('sends each once, by several processes and over several runs', async () => {
    for (let count = 0; count < 12; count += 1) await place({ email: `person${count}@mail.example` })
    await Promise.all([sendEmails(deps), sendEmails(deps), sendEmails(deps)])
    await sql`update email_state set scanned_until = now() - interval '1 hour'`.execute(db)
    await Promise.all([sendEmails(deps), sendEmails(deps)])
    const to = smtp.received.map((mail) => [mail.to].flat()[0]!.text).toSorted()
    expect(new Set(to).size).toBe(12)
    expect(to).toHaveLength(12)
  })

  it('writes none for old orders, POS sales, and orders without an address', async () => {
    await place({ placed_at: new Date(Date.now() - 3 * 3_600_000) })
    await place({ source: 'pos' })
    await place({ email: '' })
    await sql`update email_state set scanned_until = now() - interval '20 hours'`.execute(db)
    for (let run = 0; run < 25; run += 1) await sendEmails(deps)
    expect(await rows()).toEqual([])
  })

  it('sends nothing from before email was configured, and nothing without it', async () => {
    await recordEmailGateway(db, false)
    await place()
    await sendEmails({ ...deps, email: null })
    await sendEmails(deps)
    await recordEmailGateway(db, true)
    await sendEmails(deps)
    expect(await rows()).toEqual([])
  })

  it('catches up after an hour without a process', async () => {
    await place({ placed_at: new Date(Date.now() - 90 * 60_000) })
    await sql`update email_state set scanned_until = now() - interval '100 minutes'`.execute(db)
    await sendEmails(deps)
    await place({ placed_at: new Date(Date.now() - 30 * 60_000) })
    await sendEmails(deps)
    expect(smtp.received).toHaveLength(2)
  })

  it('leaves out an order that was cancelled before its mail was sent', async () => {
    await place({ status: 'cancelled', reason: 'Changed their mind' })
    await sendEmails(deps)
    expect(await rows()).toMatchObject([{ state: 'skipped', failure: 'ended' }])
    expect(smtp.received).toEqual([])
  })
})

describe('payments', () => {
  it('sends a receipt, once for an event', async () => {
    const order = await place()
    await sendEmails(deps)
    for (let repeat = 0; repeat < 2; repeat += 1) await queuePaymentEmail(db, { orderId: order.id, event: 'payment-received-7' })
    await sendEmails(deps)
    expect(smtp.received.map(({ subject }) => subject)).toEqual([
      `Green Farm: order ${order.id}`,
      `Green Farm: payment for order ${order.id}`,
    ])
  })

  it('leaves it to a confirmation that waits for the payment', async () => {
    const order = await place({ payment_gateway: 'bkash' })
    await sendEmails(deps)
    expect(await rows()).toMatchObject([{ kind: 'order-placed', state: 'queued' }])
    await queuePaymentEmail(db, { orderId: order.id, event: 'payment-received-8' })
    await sendEmails(deps)
    await dueNow()
    await sendEmails(deps)
    expect(await rows()).toMatchObject([
      { kind: 'order-placed', state: 'sent' },
      { kind: 'payment-received', state: 'skipped' },
    ])
  })

  it('sends the receipt of a payment that comes while the confirmation is on its way', async () => {
    const order = await place({ payment_gateway: 'bkash' })
    await sendEmails(deps)
    await dueNow()
    const send: typeof gateway.send = async (email) => {
      await queuePaymentEmail(db, { orderId: order.id, event: 'payment-received-11' })
      return gateway.send(email)
    }
    await sendEmails({ ...deps, email: { send } })
    expect(await rows()).toMatchObject([
      { kind: 'order-placed', state: 'sent' },
      { kind: 'payment-received', state: 'sent' },
    ])
  })

  it('queues none without an address, or without email', async () => {
    const [silent, other] = [await place({ email: '' }), await place()]
    await queuePaymentEmail(db, { orderId: silent.id, event: 'payment-received-9' })
    await recordEmailGateway(db, false)
    await queuePaymentEmail(db, { orderId: other.id, event: 'payment-received-10' })
    expect(await rows()).toEqual([])
  })
})

describe('hostile values', () => {
  it('carries no link and no number to call in the address, which a stranger may have typed', async () => {
    await place({ address: 'Win at https://evil.example/x, call 0171-1000-099' })
    await sendEmails(deps)
    const { text, html } = smtp.received[0]!
    for (const part of [text, html]) expect(part).not.toMatch(/evil\.example|099/)
  })

  it.each([
    ['Eve\r\nBcc: all@mail.example', '<script>alert(1)</script>'],
    ['"><img src=x onerror=alert(1)>', 'x'.repeat(250)],
    ['রহিমা 🐄 \u202e', "O'Brien & <b>sons</b>"],
  ])('adds no header and no markup: %j', async (name, address) => {
    settings.shop.name.en = 'Green\r\nBcc: all@mail.example'
    await place({ name, address })
    await sendEmails(deps)
    settings.shop.name.en = 'Green Farm'
    const mail = smtp.received[0]!
    expect(mail.headers.has('bcc')).toBe(false)
    expect(mail.html).not.toMatch(/<script|<img|<b>/)
    expect(mail.headers.get('auto-submitted')).toBe('auto-generated')
  })

  it.each(['nobody', 'a@b', 'a b@mail.example', 'a@mail.example,b@mail.example', 'a@mail.example\r\nRCPT TO:<b@mail.example>'])(
    'gives up an address that is none: %j',
    async (email) => {
      await place({ email })
      await sendEmails(deps)
      expect(await rows()).toMatchObject([{ state: 'failed', failure: 'address' }])
      expect(smtp.received).toEqual([])
    },
  )
})

describe('a server that misbehaves', () => {
  it.each([
    ['hang' as const, 'ETIMEDOUT'],
    ['drop' as const, 'ECONNECTION'],
    [{ at: 'MAIL' as const, status: 421 }, '421'],
    [{ at: 'MAIL' as const, status: 550 }, '550'],
    [{ at: 'RCPT' as const, status: 450 }, '450'],
    [{ at: 'DATA' as const, status: 451 }, '451'],
  ])('retries later after %j', async (fault, failure) => {
    smtp.faults.push(fault)
    await place()
    await sendEmails(fault === 'hang' ? { ...deps, email: smtpGateway({ ...server, deadlineMs: 700 }) } : deps)
    expect(await rows()).toMatchObject([{ state: 'queued', failure, attempts: 1, waits: 60 }])
    await dueNow()
    await sendEmails(deps)
    expect(await rows()).toMatchObject([{ state: 'sent', attempts: 2 }])
  })

  it.each([
    { at: 'RCPT' as const, status: 550 },
    { at: 'DATA' as const, status: 554 },
  ])('gives up after %j', async (fault) => {
    smtp.faults.push(fault)
    await place()
    await sendEmails(deps)
    expect(await rows()).toMatchObject([{ state: 'failed', failure: String(fault.status), attempts: 1 }])
  })

  it('keeps the same message id over attempts', async () => {
    const seen: string[] = []
    await place()
    const flaky = {
      ...deps,
      email: {
        send: (mail: { messageId: string }) => (
          seen.push(mail.messageId),
          Promise.resolve({ state: 'later' as const, code: '451', isServerProblem: false })
        ),
      },
    }
    for (let run = 0; run < 3; run += 1) {
      await sendEmails(flaky)
      await dueNow()
    }
    expect(seen).toHaveLength(3)
    expect(new Set(seen).size).toBe(1)
  })

  it('stops a run at a problem of the server and leaves the rest untried', async () => {
    for (let count = 0; count < 20; count += 1) await place({ email: `person${count}@mail.example` })
    const closed = smtpGateway({ ...server, port: 1 })
    await sendEmails({ ...deps, email: closed })
    const tried = (await rows()).filter(({ attempts }) => attempts > 0)
    expect(tried.length).toBeLessThanOrEqual(4)
    expect(tried[0]).toMatchObject({ state: 'queued', failure: 'ESOCKET' })
  })

  it('gives up after a day, and takes over from a process that ended', async () => {
    await place()
    await place({ email: 'second@mail.example' })
    const later = { ...deps, email: { send: () => Promise.resolve({ state: 'later' as const, code: '451', isServerProblem: false }) } }
    await sendEmails(later)
    await sql`update email_outbox set expires_at = now() where recipient = 'rahima@mail.example'`.execute(db)
    await sql`update email_outbox set state = 'sending', updated_at = now() - interval '4 minutes' where recipient = 'second@mail.example'`.execute(
      db,
    )
    await sendEmails(deps)
    // One run queues both, in either sequence.
    expect((await rows()).map(({ state, failure }) => [state, failure]).toSorted()).toEqual([
      ['failed', '451'],
      ['sent', null],
    ])
  })
})
