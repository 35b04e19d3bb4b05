import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { deleteOrphanedUploads } from '#features/catalog/media/delete-orphaned-uploads.server.ts'
import type { UploadedImage } from '#features/catalog/media/images.server.ts'
import { openUploads, type UploadsPlace } from '#lib/files/uploads.server.ts'
import { startBucketServer } from '#test/bucket-server.ts'
import { testDb } from '#test/db.ts'
import { buildUser } from '#test/factories.ts'
import { postFiles } from '#test/multipart.ts'
import { openShop } from '#test/request.ts'
import { runScript } from '#test/run-script.ts'
import type { Answer } from '#test/visitor.ts'

// Pictures and videos in a bucket: the whole way from an upload to a visitor, while the bucket works and while it does not.

const { db, url } = await testDb()
const server = await startBucketServer()
const home = mkdtempSync(path.join(tmpdir(), 'khamar-uploads-'))
afterAll(async () => {
  await server.stop()
  rmSync(home, { recursive: true, force: true })
})
afterEach(() => server.misbehave(null))

const placeIn = (folder: string): UploadsPlace => ({
  folder: path.join(home, folder),
  bucket: { url: { bucket: 'shop', prefix: 'uploads/' }, settings: server.settings },
})
const uploads = openUploads(placeIn('tests'))
const shop = await openShop({ databaseUrl: url, uploads: placeIn('one') })
const other = await openShop({ databaseUrl: url, uploads: placeIn('two') })
const clerk = shop.visitor()
await clerk.signIn((await buildUser(db, { role: 'manager' })).phone)

const jpeg = await sharp({ create: { width: 400, height: 300, channels: 3, background: '#a05030' } })
  .jpeg()
  .toBuffer()
const video = await readFile('db/demo/videos/K-101.mp4')
const sendPicture = () => postFiles(clerk, '/admin/uploads/images', [{ bytes: jpeg }])
const sendVideo = () => postFiles(clerk, '/admin/uploads/videos', [{ bytes: video, name: 'a.mp4', type: 'video/mp4' }])
const imageOf = ({ body }: Answer) => body as unknown as UploadedImage
const addressOf = (image: UploadedImage) => `/uploads/${image.picture.token}-320.webp`

async function stored(): Promise<string[]> {
  const names: string[] = []
  for await (const { name } of uploads.list()) names.push(name)
  return names.toSorted()
}

const picture = imageOf(await sendPicture())
const address = addressOf(picture)

describe('a picture in a bucket', () => {
  it('is stored in each width and format, and nothing on this disk', async () => {
    const { token } = picture.picture
    expect(await stored()).toEqual([`${token}-160.avif`, `${token}-160.webp`, `${token}-320.avif`, `${token}-320.webp`])
  })

  it('is served with type, length, tag and a year of caching, and loaded from the bucket once', async () => {
    server.requests.length = 0
    const answers = await Promise.all(Array.from({ length: 10 }, () => shop.get(address)))
    const { status, headers } = answers[0]!
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([200, 'image/webp', 'public, max-age=31536000, immutable'])
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(Number(headers['content-length'])).toBe((await uploads.find(path.basename(address)))!.length)
    expect(server.requests.filter((line) => line.startsWith('GET'))).toHaveLength(2)
    expect((await shop.get(address, { 'if-none-match': String(headers.etag) })).status).toBe(304)
    expect((await other.get(address)).headers.etag).toBe(headers.etag)
  })

  it('is missing under names that the bucket has not', async () => {
    for (const name of ['none.webp', '../secret', '%2e%2e%2fsecret', 'a%00b', '.part', 'x.part', 'a'.repeat(200), ''])
      expect((await shop.get(`/uploads/${name}`)).status, name).toBe(404)
  })

  it('can be cropped', async () => {
    const cut = await clerk.post(`/admin/uploads/images/${picture.image_id}/crop`, { x: 0, y: 0, width: 0.5, height: 0.5 })
    expect((await shop.get(`/uploads/${imageOf(cut).picture.token}-160.webp`)).status).toBe(200)
  })

  it('is deleted a day later when nothing refers to it', async () => {
    const unused = imageOf(await sendPicture())
    expect((await shop.get(addressOf(unused))).status).toBe(200)
    await sql`update images set created_at = now() - interval '2 days' where id = ${unused.image_id}`.execute(db)
    expect(await deleteOrphanedUploads(db, shop.deps.uploads, new Date())).toBe(1)
    expect((await stored()).filter((name) => name.startsWith(unused.picture.token))).toEqual([])
    expect((await shop.get(addressOf(unused))).status).toBe(404)
  })
})

it('a video is served in ranges', async () => {
  const { url: address } = (await sendVideo()).body as unknown as { url: string }
  const part = await shop.get(address, { range: 'bytes=100-199' })
  expect([part.status, part.headers['content-type'], part.headers['content-range']]).toEqual([
    206,
    'video/mp4',
    `bytes 100-199/${video.length}`,
  ])
  expect((await shop.get(address, { range: `bytes=${video.length}-` })).status).toBe(416)
  expect(readdirSync(path.join(home, 'one')).filter((name) => name.endsWith('.part'))).toEqual([])
})

it('the logo is the one of the shop until the owner uploads another', async () => {
  expect((await shop.get('/uploads/logo.png')).headers['content-type']).toBe('image/png')
  await uploads.write('logo.png', Buffer.from('own'))
  expect((await shop.get('/uploads/logo.png')).text).toBe('own')
})

/** The tokens of all pictures and videos. */
async function rows(): Promise<string[]> {
  const found = await sql<{ token: string }>`select token from images union all select token from videos order by token`.execute(db)
  return found.rows.map(({ token }) => token)
}

describe('the bucket is away', () => {
  const cases: [string, () => Promise<Answer>][] = [
    ['a picture', sendPicture],
    ['a video', sendVideo],
    ['a part of a picture', () => clerk.post(`/admin/uploads/images/${picture.image_id}/crop`, { x: 0, y: 0, width: 0.5, height: 0.5 })],
  ]
  it.each(cases)('%s is rejected with 503 and a message, and leaves nothing for long', async (_what, send) => {
    const [names, before] = [await stored(), await rows()]
    shop.failures.length = 0
    server.misbehave('drops')
    const answer = await send()
    server.misbehave(null)
    expect([answer.status, answer.body.message, answer.headers['retry-after']]).toEqual([
      503,
      'The storage of pictures does not answer. Nothing was saved: please try again in a moment.',
      '30',
    ])
    expect(shop.failures).toEqual([expect.stringContaining('The bucket shop does not answer')])
    // A row without files tells the job what to look for.
    const added = (await rows()).filter((token) => !before.includes(token))
    await sql`update images set created_at = now() - interval '2 days' where token = any(${added}::text[])`.execute(db)
    await sql`update videos set created_at = now() - interval '2 days' where token = any(${added}::text[])`.execute(db)
    await deleteOrphanedUploads(db, shop.deps.uploads, new Date())
    expect([await stored(), await rows()]).toEqual([names, before])
    expect(readdirSync(path.join(home, 'one')).filter((name) => name.endsWith('.part'))).toEqual([])
  })

  it('sizes made from a loaded picture are still served', async () => {
    const link = `/uploads/${picture.picture.token}-og.jpg`
    const [made, loaded] = [await shop.get(link), await shop.get(link)]
    server.misbehave('drops')
    const { status, headers, text } = await shop.get(link)
    expect([status, headers['content-type'], text]).toEqual([200, 'image/jpeg', loaded.text])
    expect(made.text).toBe(loaded.text)
  })

  it('a picture that stops half-way is removed when the bucket answers again', async () => {
    const names = await stored()
    server.misbehave('refuses', 1)
    expect((await sendPicture()).status).toBe(503)
    expect(await stored()).toEqual(names)
  })

  it('pages and loaded pictures are still served; others get 503 at once, and are back when it is', async () => {
    const fresh = addressOf(imageOf(await sendPicture()))
    await shop.get(address)
    server.misbehave('drops')
    expect((await shop.get('/', { accept: 'text/html' })).status).toBe(200)
    expect((await shop.get(address)).status).toBe(200)
    expect((await shop.get(fresh)).status).toBe(503)
    server.requests.length = 0
    const again = await shop.get(fresh)
    expect([again.status, again.headers['cache-control'], server.requests]).toEqual([503, 'no-store', []])
    server.misbehave(null)
    await expect.poll(async () => (await shop.get(fresh)).status).toBe(200)
  })
})

it('with a public address, browsers are sent there and may load pictures from it', async () => {
  const host = await openShop({ databaseUrl: url, uploads: placeIn('three'), uploadsPublicUrl: 'https://pictures.example/khamar' })
  const { status, headers } = await host.get(address)
  expect([status, headers.location]).toEqual([302, `https://pictures.example/khamar/${path.basename(address)}`])
  const page = await host.get('/', { accept: 'text/html' })
  expect(page.headers['content-security-policy']).toContain('https://pictures.example;')
})

it('with a public address, the logo of the shop is served where the bucket has none, and else its own', async () => {
  const uploadsPublicUrl = 'https://pictures.example/khamar'
  const place = placeIn('four')
  const empty = { ...place, bucket: { ...place.bucket!, url: { bucket: 'shop', prefix: 'empty/' } } }
  const host = await openShop({ databaseUrl: url, uploads: empty, uploadsPublicUrl })
  const { status, headers } = await host.get('/uploads/logo.png')
  expect([status, headers['content-type']]).toEqual([200, 'image/png'])
  await openUploads(empty).write('logo.png', Buffer.from('own'))
  expect((await host.get('/uploads/logo.png')).text).toBe('own')
})

it('the command copies a folder to the bucket, and what is there stays', async () => {
  const folder = await openShop({ databaseUrl: url })
  const disk = folder.deps.uploads
  await disk.write('moved-1.webp', Buffer.from('one'))
  await disk.write('moved-2.mp4', Buffer.from('two'))
  const env = { DATA_DIR: folder.deps.env.dataDir, UPLOADS: 's3://shop/moved', ...server.env }
  const move = () => runScript('scripts/shop.ts', { args: ['move-uploads'], env })
  expect(await move()).toEqual({ code: 0, output: expect.stringMatching(/^Copied 3 files \(0\.\d MB\); 0 were in the bucket\./) })
  expect((await move()).output).toMatch(/^Copied 0 files \(0\.0 MB\); 3 were in the bucket\./)
  expect(await disk.find('moved-1.webp')).toEqual(Buffer.from('one'))
  server.misbehave('refuses')
  expect(await move()).toEqual({ code: 1, output: expect.stringMatching(/^The bucket shop refuses the keys in S3_ACCESS_KEY_ID.*\n$/) })
})
