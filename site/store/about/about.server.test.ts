import sharp from 'sharp'
import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { deleteOrphanedUploads } from '#features/catalog/media/delete-orphaned-uploads.server.ts'
import { openUploads, uploadsFolder } from '#lib/files/uploads.server.ts'
import { testDb } from '#test/db.ts'
import { buildUser } from '#test/factories.ts'
import { postFiles } from '#test/multipart.ts'
import { pageProps } from '#test/page-props.ts'
import { openShop } from '#test/request.ts'

// About and Contact: the owner's text, contacts, trade licence and certificates.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
afterAll(() => expect(shop.failures).toEqual([]))
const owner = shop.visitor()
await owner.signIn((await buildUser(db, { role: 'owner' })).phone)
const HTML = { accept: 'text/html' }
const page = async (path: string, lang = 'en') => shop.get(`${path}?lang=${lang}`, HTML)

interface Saved {
  values: {
    trade_licence: string
    map_url: string
    certificates_text: object
    certificates: { image_id: number; picture: { token: string } }[]
  }
  settingsHash: string
}
async function save(changes: object) {
  const { values, settingsHash } = pageProps<{ now: Saved }>((await owner.get('/admin/settings?part=about', HTML)).text).now
  const certificates = values.certificates.map(({ image_id }) => ({ image_id }))
  return owner.post('/admin/settings/about', { ...values, certificates, ...changes, settingsHash })
}
async function upload(): Promise<number> {
  const bytes = await sharp({ create: { width: 300, height: 400, channels: 3, background: '#fff' } })
    .png()
    .toBuffer()
  const { body } = await postFiles(owner, '/admin/uploads/images', [{ bytes, name: 'a.png', type: 'image/png' }])
  return (body as unknown as { image_id: number }).image_id
}

it('an empty shop has both pages, linked in the footer, without a licence', async () => {
  const home = (await shop.get('/?lang=en', HTML)).text
  for (const path of ['/about', '/contact']) {
    expect(home).toContain(`href="${path}"`)
    for (const lang of ['en', 'bn']) expect((await page(path, lang)).status).toBe(200)
  }
  expect(home).not.toContain('Trade licence')
  expect((await page('/about')).text).toContain('About Khamar')
})

describe('what the owner enters', () => {
  it('is shown at once, in both languages, and escaped', async () => {
    const image = await upload()
    const saved = await save({
      trade_licence: 'TRAD/<b>123</b>',
      map_url: 'https://maps.example/?q=a&b',
      certificates_text: { en: '- Member of e-CAB', bn: '- ই-ক্যাব সদস্য' },
      certificates: [{ image_id: image }],
    })
    expect([saved.status, saved.body.errors]).toEqual([200, undefined])
    const { token } = (saved.body as unknown as Saved).values.certificates[0]!.picture
    const about = (await page('/about')).text
    expect(about).toContain('Trade licence no. TRAD/&lt;b&gt;123&lt;/b&gt;')
    expect(about).toContain(`/uploads/${token}-`)
    expect(about).toContain('Member of e-CAB')
    expect((await page('/about', 'bn')).text).toContain('ই-ক্যাব সদস্য')
    expect((await page('/contact')).text).toContain('href="https://maps.example/?q=a&amp;b"')
    expect((await shop.get('/cart?lang=bn', HTML)).status).toBe(200)
    expect((await shop.get('/fruits?lang=bn', HTML)).text).toContain('ট্রেড লাইসেন্স নং TRAD/&lt;b&gt;১২৩')
    // The hourly job leaves the pictures of the settings.
    const later = new Date(Date.now() + 3 * 86_400_000)
    await deleteOrphanedUploads(db, openUploads(uploadsFolder(shop.deps.env.dataDir)), later)
    expect((await sql`select 1 from images where token = ${token}`.execute(db)).rows).toHaveLength(1)
  })

  it.each([
    ['map_url', { map_url: 'http://maps.example' }],
    ['map_url', { map_url: 'javascript:alert(1)' }],
    ['map_url', { map_url: 'https://' }],
    ['trade_licence', { trade_licence: 'x'.repeat(61) }],
    ['certificates', { certificates: [{ image_id: 999_999 }] }],
    ['certificates', { certificates: Array.from({ length: 7 }, () => ({ image_id: 1 })) }],
    ['certificates', { certificates: null }],
  ])('is rejected at %s: %.60j', async (field, changes) => {
    const answer = await save(changes)
    expect([answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([422, [field]])
  })

  it('writes the texts like policies', async () => {
    const text = { title_en: 'Our farm', title_bn: 'আমাদের খামার', body_en: '## Since 1998\n\nCows.', body_bn: 'গরু।', version: 0 }
    expect((await owner.post('/admin/texts/about', text)).status).toBe(200)
    expect((await page('/about')).text).toContain('Our farm')
    expect((await page('/about', 'bn')).text).toContain('আমাদের খামার')
    expect((await owner.post('/admin/texts/elsewhere', text)).status).toBe(422)
  })
})
