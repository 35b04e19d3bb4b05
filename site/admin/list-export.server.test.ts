import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { queueSms } from '#features/messaging/queue-sms.server.ts'
import { signedIn, storeBody } from '#features/orders/testing/admin-shop.ts'
import { inTransaction } from '#lib/db/db.server.ts'
import { audit } from '#features/audit/audit.server.ts'
import { testDb } from '#test/db.ts'
import { buildAnimal, buildArea, buildProduct, buildUser } from '#test/factories.ts'
import { pageProps } from '#test/page-props.ts'
import { openShop } from '#test/request.ts'

// Lists as CSV files: the rows of the list with its filters and in its order, the roles of the list, and an entry in the log.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
afterAll(() => expect(shop.failures).toEqual([]))
const [owner, manager, viewer, weigher] = [
  await signedIn(shop, 'owner'),
  await signedIn(shop, 'manager'),
  await signedIn(shop, 'viewer'),
  await signedIn(shop, 'weigher'),
]
const area = await buildArea(db, { produce: 80, cattle: 1500 })
const mango = await buildProduct(db, { price_poisha: 10_000, name_en: '=Mango' })

async function order(name: string, phone: string, quantity = 1): Promise<number> {
  const answer = await manager.post('/admin/orders/store', storeBody(area.id, [[mango.id, quantity]], { name, phone }))
  if (!answer.body.order_id) throw new Error(answer.text)
  return answer.body.order_id
}
const small = await order('Rahim', '01711111111')
const large = await order('+Karim, "K"', '01822222222', 5)
await sql`insert into ledger_entries (order_id, kind, method, amount_poisha, reference) values (${small}, 'advance', 'bkash', 5000, 'TRX1'),
  (${small}, 'refund', 'cash', -1000, null), (${large}, 'settlement', 'settlement', 700, null)`.execute(db)
await queueSms(db, { purpose: 'code', event: 'code-1', phone: '01711111111', text: 'Your code: 123456' })
await inTransaction(db, (tx) =>
  audit(
    tx,
    { kind: 'staff', id: owner.id, ip: '::1' },
    { action: 'changed', subject: 'staff', id: viewer.id, before: { role: 'sales' }, after: { role: 'viewer' } },
  ),
)
beforeEach(() => sql`delete from audit_log where action = 'exported'`.execute(db))

const file = async (path: string, as = manager) => {
  const answer = await as.get(path, { accept: 'text/html' })
  return { status: answer.status, headers: answer.headers, lines: answer.text.replace('\ufeff', '').trimEnd().split('\r\n') }
}
const entries = async () =>
  (
    await sql<{
      subject: string
      actor_id: number
      after: { filter: string }
    }>`select subject, actor_id, after from audit_log where action = 'exported' order by id`.execute(db)
  ).rows

it.each(['br', 'gzip'] as const)('a file is sent as %s to a browser, and stored by nobody on the way', async (encoding) => {
  const url = '/admin/orders/export?status=placed'
  const cookie = [...manager.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const { lines } = await file(url)
  const answer = await fetch(shop.url + url, { headers: { cookie, accept: 'text/html', 'accept-encoding': encoding } })
  expect((await answer.text()).trimEnd().split('\r\n')).toEqual(lines)
  expect(['content-encoding', 'cache-control', 'vary'].map((name) => answer.headers.get(name))).toEqual([
    encoding,
    'no-store',
    'Accept-Encoding',
  ])
})

describe('orders', () => {
  it('has the rows of the list in its order; texts are no formulas; the log has the export', async () => {
    const { headers, lines } = await file('/admin/orders/export?sort=sum&order=asc&status=placed')
    expect(headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(headers['content-disposition']).toMatch(/^attachment; filename="khamar-orders-\d{4}-\d\d-\d\d\.csv"$/)
    expect(lines).toHaveLength(3)
    expect(lines[1]).toContain(`${small},`)
    expect(lines[1]).toContain(`"=""01711111111"""`)
    expect(lines[1]).toContain(`"'=Mango 1 kg"`)
    expect(lines[2]).toContain(`"'+Karim, ""K"""`)
    expect(lines[2]).toContain(',573,')
    expect(await entries()).toEqual([{ subject: 'order', actor_id: manager.id, after: { filter: 'sort=sum&order=asc&status=placed' } }])
  })

  it('the log has no phone or name of a search; no row is a file with its head', async () => {
    expect((await file('/admin/orders/export?q=01711111111')).lines).toHaveLength(2)
    expect((await file('/admin/orders/export?q=nobody')).lines).toHaveLength(1)
    expect((await entries()).map(({ after }) => after.filter)).toEqual(['q=…', 'q=…'])
  })

  it('ignores a page and hostile filters', async () => {
    expect((await file('/admin/orders/export?after=1~1&end=1&rows=25&status=%27%3B--&sort=__proto__')).lines).toHaveLength(3)
    expect((await file(`/admin/orders/export?q=${'a'.repeat(3000)}&from=%00`)).status).toBeLessThan(500)
  })

  it('reads many orders in batches, each once', async () => {
    await sql`insert into orders (customer_id, name, phone, address, subtotal_poisha, shipping_poisha, discount_poisha, total_poisha, payment_type, payment_gateway, payable_poisha,
      list_on, placed_at, view_key, tracking_code, source) select customer_id, 'Many', '01733333333', 'x', 0, 0, 0, 0, 'full', 'NONE', 0, '2026-01-01', '2026-01-01', 'x' || n, 'many' || n, 'legacy'
      from generate_series(1, 1200) n, (select customer_id from orders where id = ${small}) c`.execute(db)
    const { lines } = await file('/admin/orders/export?source=legacy')
    expect(new Set(lines.slice(1).map((line) => line.split(',')[0])).size).toBe(1200)
    await sql`delete from orders where source = 'legacy'`.execute(db)
  })
})

describe('the other lists', () => {
  it('customers, by name', async () => {
    await buildUser(db, { name: 'abdul' })
    const { lines } = await file('/admin/customers/export?sort=name')
    // A sign sorts before letters.
    expect(lines.slice(1).map((line) => /^\d+,"(.*?)","=""/.exec(line)?.[1])).toEqual(['\'+Karim, ""K""', 'abdul', 'Rahim'])
    expect((await entries()).map(({ subject }) => subject)).toEqual(['customer'])
  })

  it('payments and refunds, without price changes', async () => {
    const { lines } = await file('/admin/payments/export?order=asc')
    expect(lines).toHaveLength(3)
    expect(lines[1]).toMatch(new RegExp(`,${small},"Rahim","Advance","bKash","TRX1",50,$`))
    expect(lines[2]).toMatch(/"Refund","Cash",,-10,$/)
    expect((await file('/admin/payments/export?kind=refund&method=cash')).lines).toHaveLength(2)
    expect((await file('/admin/payments/export?to=2020-01-01&kind=x&method=settlement')).lines).toHaveLength(1)
    const page = pageProps<{ list: { rows: { amount: number }[] } }>(
      (await manager.get('/admin/payments?order=asc', { accept: 'text/html' })).text,
    )
    expect(page.list.rows.map(({ amount }) => amount)).toEqual([50, -10])
  })

  it('SMS with masked codes', async () => {
    const { lines } = await file('/admin/sms/export?q=01711111111')
    expect(lines.join()).toContain('Your code: ••••••')
    expect(lines.join()).not.toContain('123456')
    expect((await file('/admin/sms/export?q=neither')).lines).toHaveLength(1)
  })

  it('the log; a manager’s leaves out staff', async () => {
    const of = async (as: typeof manager) => (await file('/admin/audit/export?subject=staff', as)).lines
    expect(await of(owner)).toHaveLength(2)
    expect((await of(owner))[1]).toContain('"Role: Sales","Role: Viewer"')
    expect(await of(manager)).toHaveLength(1)
    const exports = (await file('/admin/audit/export?subject=audit&order=asc', owner)).lines
    expect(exports[1]).toContain('Filters: Object: Staff')
  })

  it('the log names the records of filters and of approvals', async () => {
    await file(`/admin/orders/export?area_id=${area.id}&status=placed`)
    await inTransaction(db, (tx) =>
      audit(
        tx,
        { kind: 'staff', id: owner.id, ip: '::1' },
        { action: 'approved', subject: 'shift', id: 1, after: { prices: [{ id: mango.id, quantity: 1, price: 5 }], held: [mango.id] } },
      ),
    )
    const { name_en: name } = await db.selectFrom('areas').select('name_en').where('id', '=', area.id).executeTakeFirstOrThrow()
    const [, , approval, exported] = (await file('/admin/audit/export', owner)).lines
    expect(exported).toContain(`Filters: Area: ${name}; Status: Placed`)
    expect(approval).toContain('On hold: =Mango; Prices: Product: =Mango, Price: ৳5, Quantity: 1')
  })

  it('the log of a number, also without an object and in Bengali digits', async () => {
    const log = (entry: { subject: string; before: object; after: object }) =>
      inTransaction(db, (tx) => audit(tx, { kind: 'staff', id: owner.id, ip: '::1' }, { action: 'changed', id: 987_654, ...entry }))
    await log({ subject: 'staff', before: { role: 'sales' }, after: { role: 'viewer' } })
    await log({ subject: 'statement-account', before: { name: 'Bank' }, after: { name: 'City Bank' } })
    const found = async (query: string, as = owner) => (await file(`/admin/audit/export?${query}`, as)).lines.length - 1
    for (const typed of ['987654', ' ৯৮৭৬৫৪ ']) expect(await found(`subject_id=${encodeURIComponent(typed)}`), typed).toBe(2)
    expect(await found('subject_id=987654&subject=statement-account')).toBe(1)
    expect(await found('subject_id=987654', manager)).toBe(1)
    expect(await found('subject_id=987653')).toBe(0)
  })

  it('each has the roles of its list', async () => {
    const statuses = (as: typeof manager) =>
      Promise.all(['orders', 'customers', 'payments', 'sms', 'audit'].map(async (list) => (await file(`/admin/${list}/export`, as)).status))
    expect(await statuses(viewer)).toEqual([200, 200, 200, 200, 403])
    expect(await statuses(weigher)).toEqual([403, 403, 403, 403, 403])
    expect(await statuses(Object.assign(shop.visitor(), { id: 0 }))).toEqual([303, 303, 303, 303, 303])
    expect((await entries()).every(({ actor_id }) => actor_id === viewer.id)).toBe(true)
  })
})

describe('pages of logs and customers', () => {
  it.each([['sms'], ['audit'], ['customers'], ['payments']])('%s turns round, and takes the rows of a page', async (list) => {
    const ids = async (query: string) => {
      const props = pageProps<Record<'page' | 'list', { rows: { id: number }[] }>>(
        (await owner.get(`/admin/${list}?${query}`, { accept: 'text/html' })).text,
      )
      return (props.page ?? props.list).rows.map(({ id }) => id)
    }
    for (let n = 0; list === 'customers' && n < 30; n++) await buildUser(db, { name: n % 2 ? 'same' : `N ${n}` })
    const newest = await ids('rows=100&sort=new&order=desc')
    expect(newest).toEqual(newest.toSorted((a, b) => b - a))
    expect(await ids('rows=100&sort=new&order=asc')).toEqual(newest.toReversed())
    expect(await ids('rows=7&sort=nobody&order=sideways')).toEqual(newest.slice(0, list === 'customers' || list === 'payments' ? 25 : 50))
  })

  it('customers by name go on by pages, equal names by number', async () => {
    const all: number[] = []
    for (let next: string | undefined = '', count = 0; next !== undefined && count < 5; count++) {
      const query: string = `sort=name&${next}`
      const { list } = pageProps<{ list: { rows: { id: number; name: string }[]; next: Record<string, string> | null } }>(
        (await manager.get(`/admin/customers?${query}`, { accept: 'text/html' })).text,
      )
      all.push(...list.rows.map(({ id }) => id))
      next = list.next ? new URLSearchParams(list.next).toString() : undefined
    }
    const sorted = await sql<{ id: number }>`select id from users where role = 'customer' order by lower(name), id`.execute(db)
    expect(all).toEqual(sorted.rows.map(({ id }) => id))
  })
})

it('the file of orders names all products, animals by their tags', async () => {
  const bull = await buildAnimal(db, { name_en: 'Bull', name_bn: 'ষাঁড়', tag_number: 'X-901' })
  const guava = await buildProduct(db, { name_en: 'Guava', name_bn: 'পেয়ারা' })
  const lines: [number, number][] = [
    [guava.id, 2],
    [bull.id, 1],
  ]
  await manager.post('/admin/orders/store', storeBody(area.id, lines, { name: 'Selim', phone: '01733333334' }))
  const goods = async (lang: string) => {
    const cookie = [...manager.cookies, ['lang', lang]].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(`${shop.url}/admin/orders/export?q=01733333334`, { headers: { cookie, accept: 'text/html' } })
    return (await answer.text()).trimEnd().split('\r\n').slice(1)
  }
  expect(await goods('en')).toEqual([expect.stringContaining('"Guava 2 kg; Bull X-901"')])
  expect(await goods('bn')).toEqual([expect.stringContaining('"পেয়ারা ২ কেজি; ষাঁড় X-901"')])
})
