import { afterAll, beforeEach, expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { buildProduct, buildUser } from '#test/factories.ts'
import { openShop } from '#test/request.ts'

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const mango = await buildProduct(db)
afterAll(() => expect(shop.failures).toEqual([]))

async function setIds(pixel_id: string, ga4_id: string): Promise<void> {
  const row = { key: 'analytics', value: JSON.stringify({ pixel_id, ga4_id }) }
  await db
    .insertInto('settings')
    .values(row)
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: row.value }))
    .execute()
  shop.deps.catalogRevision.advance()
}
beforeEach(() => setIds('', ''))

const SERVICES = /facebook|googletagmanager|google-analytics|analytics/i

it('adds nothing to a page or its policy while it is off', async () => {
  for (const path of ['/', `/product/${mango.id}`, '/cart']) {
    const { text, headers } = await shop.get(path)
    expect(text).not.toMatch(/<meta name="analytics"|assets\/analytics-/)
    expect(headers['content-security-policy']).not.toMatch(SERVICES)
  }
})

it('adds ids, script and hosts to public pages, and to no private one', async () => {
  await setIds('123456789', 'G-ABCD1234')
  for (const path of ['/', `/product/${mango.id}`, '/cart']) {
    const { text, headers } = await shop.get(path)
    expect(text).toContain(
      '<meta name="analytics" content="{&quot;pixel_id&quot;:&quot;123456789&quot;,&quot;ga4_id&quot;:&quot;G-ABCD1234&quot;,&quot;serverReports&quot;:false}">',
    )
    expect(text).toMatch(/<script type="module" async fetchpriority="low" src="\/assets\/analytics-[\w-]+\.js">/)
    expect(headers['content-security-policy']).toMatch(/script-src [^;]*https:\/\/connect\.facebook\.net/)
    expect(headers['content-security-policy']).not.toMatch(/script-src [^;]*'unsafe-inline'/)
  }
  for (const path of ['/login', '/track', '/cart?key=secret', '/terms-condition', '/nothing-here']) {
    const { text, headers } = await shop.get(path)
    expect(text).not.toMatch(/<meta name="analytics"/)
    expect(String(headers['content-security-policy'])).not.toMatch(SERVICES)
  }
})

it('does not measure visits of staff, who open orders of others', async () => {
  await setIds('123456789', 'G-ABCD1234')
  const [customer, manager] = [await buildUser(db), await buildUser(db, { role: 'manager' })]
  for (const [{ phone }, isMeasured] of [
    [customer, true],
    [manager, false],
  ] as const) {
    const visitor = shop.visitor()
    await visitor.signIn(phone)
    const { text, headers } = await visitor.get('/', { accept: 'text/html' })
    expect(text.includes('<meta name="analytics"')).toBe(isMeasured)
    expect(SERVICES.test(String(headers['content-security-policy']))).toBe(isMeasured)
  }
})
