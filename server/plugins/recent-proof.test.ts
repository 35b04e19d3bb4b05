import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { buildUser } from '#test/factories.ts'
import { pageProps } from '#test/page-props.ts'
import { openShop } from '#test/request.ts'

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const me = await buildUser(db, { role: 'owner', name: 'Owner' })
const clerk = await buildUser(db, { role: 'sales', name: 'Salma' })
await sql`insert into second_factors (user_id, secret, confirmed_at, created_at) values (${clerk.id}, 'x', now(), now())`.execute(db)
const { backupTo } = shop.deps.env
await mkdir(backupTo, { recursive: true })
await writeFile(path.join(backupTo, 'one.khamar-backup'), 'all data')
const run = { started_by: 'schedule' as const, state: 'done' as const, size_bytes: 8, checksum: 'ab'.repeat(32), sums: '{}' }
await db
  .insertInto('backup_runs')
  .values({ ...run, started_at: new Date(), finished_at: new Date(), target: backupTo, file_name: 'one.khamar-backup' })
  .execute()
const owner = shop.visitor()
await owner.signIn(me.phone)
const letProofAge = () =>
  sql`update sessions set checked_at = ${new Date(shop.clock.now.getTime() - 11 * 60_000)} where user_id = ${me.id}`.execute(db)
const confirmFor = (next: string) => `/account/confirm?next=${encodeURIComponent(next)}`

async function settings(part: string) {
  const page = await owner.get(`/admin/settings?part=${part}`, { accept: 'text/html' })
  const { values, settingsHash } = pageProps<{ now: { values: object; settingsHash: string } }>(page.text).now
  return { ...values, settingsHash }
}

it.each([
  ['a new member of staff', '/admin/staff', '/admin/staff/store', { name: 'Jamil', phone: '01911111111', role: 'owner' }],
  ['another role', '/admin/staff', `/admin/staff/${clerk.id}/role`, { role: 'manager', previous: 'sales' }],
  ['an account that is enabled', '/admin/staff', `/admin/staff/${clerk.id}/enable`, {}],
  ['removing the second factor of another', '/admin/staff', `/admin/staff/${clerk.id}/second-factor`, {}],
  ['a one-time password', '/admin/staff', `/admin/staff/${clerk.id}/password`, {}],
  ['other numbers that customers pay to', '/admin/settings?part=payments', '/admin/settings/payments', 'payments'],
  ['another choice of who needs a second factor', '/admin/settings?part=security', '/admin/settings/security', 'security'],
])('an old proof is not enough for %s', async (_name, page, address, body) => {
  const sent = typeof body === 'string' ? await settings(body) : body
  if (address.endsWith('/enable')) await sql`update users set disabled_at = now() where id = ${clerk.id}`.execute(db)
  await letProofAge()
  const refused = await owner.post(address, sent)
  expect(refused).toMatchObject({ status: 403, body: { redirect: confirmFor(page) } })
  expect(
    (await sql`select 1 from audit_log where at > now() - interval '1 second' and subject in ('staff', 'settings')`.execute(db)).rows,
  ).toEqual([])
  await sql`update sessions set checked_at = ${shop.clock.now} where user_id = ${me.id}`.execute(db)
  expect((await owner.post(address, sent)).status).toBe(200)
  await sql`truncate audit_log`.execute(db)
})

it('an old proof is not enough for a backup; other settings and closing an account need none', async () => {
  await letProofAge()
  const asked = await owner.get('/api/admin/backups/1/file', { accept: 'text/html' })
  expect([asked.status, asked.headers.location]).toEqual([303, confirmFor('/admin/backups')])
  expect((await owner.post('/admin/settings/notices', await settings('notices'))).status).toBe(200)
  expect((await owner.post(`/admin/staff/${clerk.id}/disable`, {})).status).toBe(200)
  await sql`update sessions set checked_at = ${shop.clock.now} where user_id = ${me.id}`.execute(db)
  expect((await owner.get('/api/admin/backups/1/file')).text).toBe('all data')
})

it.each([
  ['/admin/settings?part=payments', '/admin/settings?part=payments'],
  // This page asks for the proof itself.
  ['/admin/quick-orders/code', '/admin/quick-orders'],
  ['/account/security/phone', '/account/security'],
  ['/admin/../..//evil.example', '/account/security'],
  ['https://evil.example/admin', '/account/security'],
])('who asked for %s and does not prove it goes back to %s', async (next, back) => {
  const typed = await owner.get(confirmFor(next), { accept: 'text/html' })
  const refused = await owner.postForm('/account/confirm', { password: '', next })
  for (const { text } of [typed, refused]) expect(text).toMatch(new RegExp(`<a href="${back.replace('?', '\\?')}"[^>]*>Cancel</a>`))
})
