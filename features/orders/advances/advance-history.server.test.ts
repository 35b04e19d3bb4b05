import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { buildArea } from '#test/factories.ts'
import { pageProps } from '#test/page-props.ts'
import { openShop } from '#test/request.ts'
import { orderedByShopper, signedIn } from '../testing/admin-shop.ts'
import type { ReportedAdvance } from './advance-history.server.ts'

// Verified and rejected advances stay findable: by state, transaction id, phone and order, with who decided, when and why.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const area = await buildArea(db, { cattle: 1500, produce: 80 })
const [manager, viewer] = [await signedIn(shop, 'manager'), await signedIn(shop, 'viewer')]
afterAll(() => expect(shop.failures).toEqual([]))

const SENDER = '01911222333'

async function reported(transaction_id: string, method = 'bkash'): Promise<{ order: number; report: number }> {
  const { id } = await orderedByShopper(shop, area.id)
  const key = (await sql<{ view_key: string }>`select view_key from orders where id = ${id}`.execute(db)).rows[0]!.view_key
  const answer = await shop.post(`/orders/${id}/advance`, { method, transaction_id, sender: SENDER, amount: 11_500, key })
  expect(answer.status, answer.text).toBe(200)
  const { rows } = await sql<{ id: number }>`select max(id) as id from advance_reports where order_id = ${id}`.execute(db)
  return { order: id, report: rows[0]!.id }
}

interface Listed {
  page: { rows: ReportedAdvance[]; prev: Record<string, string> | null; next: Record<string, string> | null }
}
async function list(query: Record<string, string> = {}): Promise<Listed['page']> {
  const answer = await viewer.get(`/admin/advances/history?${new URLSearchParams(query).toString()}`, { accept: 'text/html' })
  expect(answer.status).toBe(200)
  return pageProps<Listed>(answer.text).page
}
const ordersOf = async (query: Record<string, string>) => (await list(query)).rows.map(({ order_id }) => order_id)

const waiting = await reported('HIST000001')
const verified = await reported('HIST000002', 'bank')
const refused = await reported('01712345099', 'nagad')
await manager.post(`/admin/advances/verify/${verified.report}`, {})
await manager.post(`/admin/advances/refuse/${refused.report}`, { reason: 'Not on the statement' })
const all = [refused.order, verified.order, waiting.order]

describe('the history', () => {
  it('lists the decision, who made it, when, and why', async () => {
    const { rows } = await list()
    expect(rows.map(({ order_id }) => order_id)).toEqual(all)
    const { name } = (await sql<{ name: string }>`select name from users where id = ${manager.id}`.execute(db)).rows[0]!
    expect(rows).toMatchObject([
      { state: 'refused', decided_by: name, reason: 'Not on the statement', amount: 11_500, sender: SENDER },
      { state: 'verified', decided_by: name, reason: '', method: 'bank' },
      { state: 'waiting', decided_by: null, decided_at: null, reason: '' },
    ])
    expect(rows.slice(0, 2).every(({ decided_at }) => decided_at !== null)).toBe(true)
  })

  it.each([
    [{ state: 'verified' }, [verified.order]],
    [{ state: 'refused' }, [refused.order]],
    [{ state: 'waiting' }, [waiting.order]],
    [{ state: 'all of them' }, all],
    [{ q: 'hist 000002' }, [verified.order]],
    // As a customer reads it out: the id of a wallet is stored without hyphens, that of a bank with them.
    [{ q: 'hist-0000 01' }, [waiting.order]],
    [{ q: 'TrxID HIST-000001' }, [waiting.order]],
    [{ q: 'HIST000002', state: 'refused' }, []],
    [{ q: String(waiting.order) }, [waiting.order]],
    [{ q: `#${waiting.order}` }, [waiting.order]],
    [{ q: SENDER }, all],
    // A transaction id that looks like a phone.
    [{ q: '01712345099' }, [refused.order]],
    [{ q: '০১৭১২৩৪৫০৯৯' }, [refused.order]],
    [{ q: '%' }, []],
    [{ q: "'; drop table advance_reports" }, []],
    [{ q: 'x'.repeat(5000) }, []],
    [{ after: 'nonsense' }, all],
    [{ after: '99999999999999999999' }, all],
  ])('for %j', async (query, found) => {
    expect(await ordersOf(query as Record<string, string>)).toEqual(found)
  })

  it('is found by the phone of the order', async () => {
    await sql`update orders set phone = '01811999888' where id = ${verified.order}`.execute(db)
    expect(await ordersOf({ q: '+880 1811-999888' })).toEqual([verified.order])
  })

  it('is read page by page, both ways', async () => {
    await sql`insert into advance_reports (order_id, method, transaction_id, sender, amount_poisha, state, decided_at)
      select ${waiting.order}, 'bkash', 'PAGE' || lpad(n::text, 6, '0'), '', 100, 'refused', now() from generate_series(1, 120) n`.execute(
      db,
    )
    const seen: number[] = []
    let page = await list({ state: 'refused' })
    for (;;) {
      seen.push(...page.rows.map(({ id }) => id))
      if (!page.next) break
      page = await list({ state: 'refused', ...page.next })
    }
    expect(seen).toHaveLength(121)
    expect(seen).toEqual(seen.toSorted((a, b) => b - a))
    const back = await list({ state: 'refused', ...page.prev! })
    expect(back.rows.map(({ id }) => id)).toEqual(seen.slice(seen.length - page.rows.length - 50, seen.length - page.rows.length))
  })

  it('uses an index for each state', async () => {
    await sql`analyze advance_reports`.execute(db)
    const { rows } = await db.transaction().execute(async (tx) => {
      await sql`set local enable_seqscan = off`.execute(tx)
      return sql<{
        'QUERY PLAN': string
      }>`explain select id from advance_reports where state = 'verified' order by id desc limit 51`.execute(tx)
    })
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toMatch(/advance_reports_state/)
  })
})
