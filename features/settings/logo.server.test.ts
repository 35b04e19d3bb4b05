import sharp from 'sharp'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deleteOrphanedUploads } from '#features/catalog/media/delete-orphaned-uploads.server.ts'
import { openUploads, uploadsFolder } from '#lib/files/uploads.server.ts'
import { testDb } from '#test/db.ts'
import { buildUser } from '#test/factories.ts'
import { postFiles } from '#test/multipart.ts'
import { pageProps } from '#test/page-props.ts'
import { openShop } from '#test/request.ts'
import { shownLogo } from './logo-rules.ts'

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
afterAll(() => expect(shop.failures).toEqual([]))
const owner = shop.visitor()
await owner.signIn((await buildUser(db, { role: 'owner' })).phone)
const HTML = { accept: 'text/html' }

interface Saved {
  values: { shop: object; logo: { image_id: number; picture: { token: string } } | null }
  settingsHash: string
}
async function now(): Promise<Saved> {
  return pageProps<{ now: Saved }>((await owner.get('/admin/settings?part=shop', HTML)).text).now
}
const save = async (logo: unknown, changes: object = {}) => {
  const { values, settingsHash } = await now()
  const contacts = { ...values.shop, phone: '01700000000' }
  return owner.post('/admin/settings/shop', { shop: contacts, ...(logo === undefined ? {} : { logo }), settingsHash, ...changes })
}
async function upload(width = 500, height = 500): Promise<number> {
  const bytes = await sharp({ create: { width, height, channels: 4, background: { r: 200, g: 30, b: 30, alpha: 0.5 } } })
    .png()
    .toBuffer()
  const { body } = await postFiles(owner, '/admin/uploads/images', [{ bytes, name: 'logo.png', type: 'image/png' }])
  return (body as unknown as { image_id: number }).image_id
}
const logoOf = ({ body }: { body: unknown }) => (body as Saved).values.logo
const fetchFile = (path: string) => fetch(`http://127.0.0.1:${shop.deps.env.port}${path}`)
const home = async () => (await shop.get('/?lang=en', HTML)).text

describe('the logo of the shop', () => {
  let imageId: number
  let token: string
  beforeAll(async () => {
    expect(await home()).not.toContain('-mark.webp')
    imageId = await upload()
    const saved = await save({ image_id: imageId })
    expect(saved.status).toBe(200)
    token = logoOf(saved)!.picture.token
  })

  it('is in the head of every page at once, with its size, and the icon and preview of the site', async () => {
    const text = await home()
    expect(text).toContain(`<img src="/uploads/${token}-mark.webp" alt="" width="36" height="36" style="height:36px;`)
    expect(text).toContain(`<link rel="icon" href="/uploads/${token}-icon.png" type="image/png">`)
    expect(text).toContain(`/uploads/${token}-logo.png"`)
    expect((await shop.get('/fruits', HTML)).text).toContain(`/uploads/${token}-og.jpg"`)
  })

  it.each([
    ['mark.webp', { format: 'webp', width: 108, height: 108, hasAlpha: true }],
    ['logo.png', { format: 'png', width: 240, height: 240 }],
    ['icon.png', { format: 'png', width: 512, height: 512, hasAlpha: false }],
    ['og.jpg', { format: 'jpeg', width: 1200, height: 630 }],
    ['feed.jpg', { format: 'jpeg', width: 480, height: 480 }],
  ])('is offered as %s', async (name, expected) => {
    const answer = await fetchFile(`/uploads/${token}-${name}`)
    expect(answer.headers.get('cache-control')).toContain('immutable')
    expect(await sharp(Buffer.from(await answer.arrayBuffer())).metadata()).toMatchObject(expected)
    expect((await fetchFile(`/uploads/${'0'.repeat(32)}-${name}`)).status).toBe(404)
  })

  it('is in the manifest, which has the name of the shop', async () => {
    const manifest = (await (await fetchFile('/manifest.webmanifest')).json()) as { name: string; icons: object[] }
    expect(manifest).toMatchObject({ name: 'Khamar', icons: [{ src: `/uploads/${token}-icon.png` }] })
  })

  it('stays when the job deletes unused pictures, also when it is chosen while the job runs', async () => {
    const uploads = openUploads(uploadsFolder(shop.deps.env.dataDir))
    await sql`update images set created_at = now() - interval '3 days'`.execute(db)
    expect(await deleteOrphanedUploads(db, uploads, new Date())).toBe(0)
    const other = await upload()
    await sql`update images set created_at = now() - interval '3 days' where id = ${other}`.execute(db)
    const [, saved] = await Promise.all([deleteOrphanedUploads(db, uploads, new Date()), save({ image_id: other })])
    const { rows } = await sql`select 1 from images where id = ${other}`.execute(db)
    // Either the job was first, and the logo is refused, or the logo has its picture.
    expect([saved.status, rows.length]).toEqual(rows.length === 1 ? [200, 1] : [422, 0])
  })

  it('is refused without such a picture, and by a form that another one has overtaken', async () => {
    for (const wrong of [{ image_id: 2_000_000_000 }, { image_id: 'x' }, { image_id: -1 }, {}, 'x', { image_id: imageId, picture: {} }])
      expect((await save(wrong)).status).toBe(422)
    expect((await save({ image_id: imageId }, { settingsHash: 'old' })).status).toBe(409)
    const { values, settingsHash } = await now()
    const both = [values.logo && { image_id: values.logo.image_id }, null].map((logo) =>
      owner.post('/admin/settings/shop', {
        shop: { ...values.shop, motto: { en: logo ? 'with a logo' : 'plain', bn: '' } },
        logo,
        settingsHash,
      }),
    )
    expect((await Promise.all(both)).map(({ status }) => status).toSorted()).toEqual([200, 409])
  })

  it('may only be a picture, never an SVG, and only by those who change settings', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
    const sent = await postFiles(owner, '/admin/uploads/images', [{ bytes: svg, name: 'logo.svg', type: 'image/svg+xml' }])
    expect(sent.status).toBe(422)
    const manager = shop.visitor()
    await manager.signIn((await buildUser(db, { role: 'cashier' })).phone)
    expect((await manager.post('/admin/settings/shop', {})).status).toBe(403)
  })

  it('stays when a form without it is saved, and is removed by null', async () => {
    await save({ image_id: await upload() })
    expect(logoOf(await save(undefined))).not.toBeNull()
    expect(await home()).toContain('-mark.webp')
    expect(logoOf(await save(null))).toBeNull()
    expect(await home()).not.toContain('-mark.webp')
    const { rows } = await sql<{ after: object }>`select after from audit_log where after ? 'logo' order by id desc limit 1`.execute(db)
    expect(rows).toEqual([{ after: { logo: null } }])
  })
})

describe('a shown logo', () => {
  it.each([
    ['square', 100, 100, { ratio: 1, isWide: false }],
    ['high', 100, 200, { ratio: 0.5, isWide: false }],
    ['wide: it takes the place of the name', 400, 200, { ratio: 2, isWide: true }],
    ['a banner: made smaller', 1000, 100, { ratio: 3.5, isWide: true }],
  ])('%s', (_what, width, height, expected) => {
    const picture = { token: 'a', width, height, widths: [160], placeholder: '', isIllustration: true }
    expect(shownLogo({ image_id: 1, picture })).toEqual({ src: '/uploads/a-mark.webp', ...expected })
  })
})
