import { sql } from 'kysely'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { buildUser } from '#test/factories.ts'
import { pageProps } from '#test/page-props.ts'
import { openShop } from '#test/request.ts'
import type { PolicyRecord } from './queries.server.ts'

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
afterAll(() => expect(shop.failures).toEqual([]))
const clerk = shop.visitor()
await clerk.signIn((await buildUser(db, { role: 'manager' })).phone)
beforeEach(() => sql`truncate policy_pages, audit_log`.execute(db))

const body = {
  title_en: 'Return and refund',
  title_bn: 'ফেরত',
  body_en: 'First.\n\n## Fruit\n\n- within a day\r\n- unopened',
  body_bn: 'প্রথম।',
  version: 0,
}
const write = (more: object = {}, slug = 'return-refund') => clerk.post(`/admin/texts/${slug}`, { ...body, ...more })

it('a policy page is created, changed, and shown immediately', async () => {
  expect((await write()).body).toMatchObject({
    policy: { version: 1, title_en: 'Return and refund', body_en: 'First.\n\n## Fruit\n\n- within a day\n- unopened' },
  })
  const page = await shop.get('/return-refund', { accept: 'text/html' })
  expect(page.text).toContain('<h2>Fruit</h2>')
  expect(page.text).toContain('<li>unopened</li>')
  expect((await write({ version: 1, body_en: 'Second.' })).body).toMatchObject({ policy: { version: 2 } })
  expect((await shop.get('/return-refund', { accept: 'text/html' })).text).toContain('Second.')
  const admin = await clerk.get('/admin/texts/return-refund', { accept: 'text/html' })
  expect(pageProps<{ policy: PolicyRecord }>(admin.text).policy).toMatchObject({ slug: 'return-refund', body_en: 'Second.', version: 2 })
  const { rows } = await sql<{ action: string; subject_id: string; after: object }>`select * from audit_log order by id`.execute(db)
  expect(rows).toMatchObject([
    { action: 'created', subject_id: 'return-refund' },
    { action: 'changed', after: { body_en: 'Second.' } },
  ])
  expect(rows[1]?.after).not.toHaveProperty('title_en')
})

it('all are listed, including those that are not written', async () => {
  const page = await clerk.get('/admin/texts', { accept: 'text/html' })
  expect(pageProps<{ policies: PolicyRecord[] }>(page.text).policies.map(({ slug, version }) => [slug, version])).toEqual([
    ['terms-condition', 0],
    ['privacy-policy', 0],
    ['return-refund', 0],
    ['shipping-info', 0],
    ['about', 0],
    ['contact', 0],
  ])
})

it('of two concurrent saves the second is a conflict, also for a new page', async () => {
  for (const version of [0, 1])
    expect((await Promise.all([write({ version }), write({ version })])).map(({ status }) => status).sort()).toEqual([200, 409])
})

it('reports errors at their fields; rejects unknown pages', async () => {
  expect((await write({ title_en: '', body_bn: 'x'.repeat(30_001), body_en: '\u0000' })).body.errors).toEqual({
    title_en: ['This field is required.'],
    body_bn: ['This text is too long.'],
    body_en: ['This text contains characters that can’t be saved.'],
  })
  expect((await write({ body_en: undefined })).status).toBe(422)
  expect((await write({ updated_on: '2020-01-01' })).status).toBe(422)
  for (const slug of ['imprint', '..', 'terms-condition%00']) expect([404, 422, 400]).toContain((await write({}, slug)).status)
  expect((await clerk.get('/admin/texts/imprint', { accept: 'text/html' })).status).toBe(404)
})

it('markup is shown as text', async () => {
  await write({
    title_en: '</title><script>alert(1)</script>',
    body_en: '## <img src=x onerror=alert(1)>\n\n- <b>x</b> [a](javascript:alert(1))',
  })
  for (const path of ['/return-refund', '/admin/texts/return-refund']) {
    const { text } = await clerk.get(path, { accept: 'text/html' })
    expect(text).not.toMatch(/<img src=x|<script>alert|<b>x|href="javascript/)
  }
})
