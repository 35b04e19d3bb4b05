import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { testDb, untilLockWait } from '#test/db.ts'
import { buildUser } from '#test/factories.ts'
import { openShop } from '#test/request.ts'
import { addOptOut } from '#features/messaging/opt-outs.server.ts'
import { signedIn } from '../orders/testing/admin-shop.ts'
import { campaignsOf, clearCampaigns } from './testing/campaigns.ts'

// Opting out of campaigns, by the link of an SMS and by staff.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
afterAll(() => expect(shop.failures).toEqual([]))
const { started } = campaignsOf(db, await signedIn(shop, 'manager'))
const [sales, viewer] = [shop.visitor(), shop.visitor()]
await sales.signIn((await buildUser(db, { role: 'sales' })).phone)
await viewer.signIn((await buildUser(db, { role: 'viewer' })).phone)
const phones = ['01900000001', '01900000002'] as const
beforeEach(async () => {
  await clearCampaigns(db)
  for (const phone of phones) await buildUser(db, { phone })
})

/** Starts a campaign; returns the token of a phone. */
async function tokenOf(phone: string): Promise<string> {
  const id = await started()
  const { rows } = await sql<{ stop_token: string }>`select stop_token from campaign_people where campaign_id = ${id}
    and phone = ${phone}`.execute(db)
  return rows[0]!.stop_token
}
const optOuts = async () =>
  (await sql<{ phone: string }>`select phone from sms_opt_outs order by phone`.execute(db)).rows.map(({ phone }) => phone)

describe('the link that stops campaigns', () => {
  const page = (token: string) => shop.visitor().get(`/stop/${token}`, { accept: 'text/html' })

  it('shows a button, and stops once pressed, again and again', async () => {
    const [phone] = phones
    const token = await tokenOf(phone)
    const before = await page(token)
    expect([before.status, before.text.includes('Stop promotional SMS?'), before.text.includes('এসএমএস বন্ধ করুন')]).toEqual([
      200,
      true,
      true,
    ])
    expect(before.text).not.toContain(phone)
    // Previews of messages only get the page.
    expect([(await shop.visitor().send('HEAD', `/stop/${token}`)).status, await optOuts()]).toEqual([200, []])
    const visitor = shop.visitor()
    for (let i = 0; i < 2; i++) {
      const { status, headers } = await visitor.postForm(`/stop/${token}`, {})
      expect([status, headers.location]).toEqual([303, `/stop/${token}`])
    }
    expect((await sql`select phone, source from sms_opt_outs`.execute(db)).rows).toEqual([{ phone, source: 'link' }])
    expect((await page(token)).text).toContain('Promotional SMS are stopped')
    expect((await shop.visitor().post(`/stop/${token}`, {}, { token: null })).status).toBe(403)
  })

  it('stops a number that is changed at the same moment', async () => {
    const [one] = phones
    const token = await tokenOf(one)
    let pressed: Promise<{ status: number }> | undefined
    await db.transaction().execute(async (tx) => {
      await sql`update users set phone = '01788888888' where phone = ${one}`.execute(tx)
      pressed = shop.visitor().post(`/stop/${token}`, {})
      await untilLockWait(db)
    })
    expect((await pressed!).status).toBe(200)
    expect(await optOuts()).toEqual(['01788888888', one])
  })

  it('another token is a 404', async () => {
    const token = await tokenOf(phones[0])
    const wrongCase = token.replace(/[a-zA-Z]/g, (letter) => (letter < 'a' ? letter.toLowerCase() : letter.toUpperCase()))
    for (const wrong of [token.slice(1), `${token}0`, wrongCase, '0'.repeat(8), '%00%00%00', `${token.slice(0, 7)}%0a`, 'x'.repeat(90)]) {
      expect([wrong, (await page(wrong)).status]).toEqual([wrong, 404])
      expect((await shop.visitor().post(`/stop/${wrong}`, {})).status).toBe(404)
    }
    expect(await optOuts()).toEqual([])
  })

  it('differs by person and campaign, and has eight letters and digits', async () => {
    for (let i = 0; i < 3; i++) await started()
    const { rows } = await sql<{ stop_token: string }>`select stop_token from campaign_people`.execute(db)
    expect(new Set(rows.map(({ stop_token }) => stop_token)).size).toBe(6)
    for (const { stop_token } of rows) expect(stop_token).toMatch(/^[A-Za-z0-9]{8}$/)
  })

  it('stops the number of the SMS, and a newer one of the person', async () => {
    const [one, two] = phones
    const [token, other] = [await tokenOf(one), await tokenOf(two)]
    await sql`update users set phone = '01788888888' where phone = ${one}`.execute(db)
    expect((await shop.visitor().post(`/stop/${token}`, {})).status).toBe(200)
    expect(await optOuts()).toEqual(['01788888888', one])
    await sql`update users set merged_into = (select id from users where phone = '01788888888'), merged_at = now(), disabled_at = now()
      where phone = ${two}`.execute(db)
    expect((await shop.visitor().post(`/stop/${other}`, {})).status).toBe(200)
    expect(await optOuts()).toEqual(['01788888888', one, two])
  })

  it('follows the person to a new number and into a merged customer', async () => {
    const [one, two] = phones
    await addOptOut(db, one, 'link')
    await sql`update users set phone = '01788888888' where phone = ${one}`.execute(db)
    await sql`update users set merged_into = (select id from users where phone = ${two}), merged_at = now(), disabled_at = now()
      where phone = '01788888888'`.execute(db)
    expect(await optOuts()).toEqual(['01788888888', one, two])
  })

  it('staff tick it on the page of the customer', async () => {
    const [phone] = phones
    const { id } = (await sql<{ id: number }>`select id from users where phone = ${phone}`.execute(db)).rows[0]!
    const tick = (opted_out: unknown, who = sales) => who.post(`/admin/customers/${id}/opt-out`, { opted_out })
    expect((await tick(true)).body).toMatchObject({ customer: { opt_out: 'staff' } })
    expect((await tick(true)).status).toBe(409)
    expect((await tick(false)).body).toMatchObject({ customer: { opt_out: null } })
    expect((await tick('yes')).status).toBe(422)
    expect((await tick(true, viewer)).status).toBe(403)
  })
})
