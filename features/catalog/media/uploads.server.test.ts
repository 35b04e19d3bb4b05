import { existsSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { crc32, deflateSync } from 'node:zlib'
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import type { Uploads } from '#lib/files/uploads.server.ts'
import { testDb } from '#test/db.ts'
import { buildProduct, buildUser } from '#test/factories.ts'
import { multipartBody, postFiles, type SentFile } from '#test/multipart.ts'
import { openShop } from '#test/request.ts'
import type { UploadedImage } from './images.server.ts'
import { deleteOrphanedUploads } from './delete-orphaned-uploads.server.ts'

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
afterAll(() => expect(shop.failures).toEqual([]))
const clerk = shop.visitor()
await clerk.signIn((await buildUser(db, { role: 'manager' })).phone)
beforeEach(() => sql`truncate images cascade`.execute(db))

const uploads = path.join(shop.deps.env.dataDir, 'uploads')
const storedFiles = () => readdir(uploads).catch((): string[] => [])
const rows = async () => (await sql<{ token: string }>`select token from images`.execute(db)).rows
const send = (...files: SentFile[]) => postFiles(clerk, '/admin/uploads/images', files)
const photo = (width = 400, height = 300) => sharp({ create: { width, height, channels: 3, background: '#a05030' } })
const jpeg = () => photo().jpeg().toBuffer()
const SCRIPT = '<script>alert(1)</script>'
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="30" height="30">${SCRIPT}</svg>`

/** A valid PNG with one bit a pixel: 100 KB that decompress to a huge image. */
function pngBomb(side: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data])
    const [size, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    size.writeUInt32BE(data.byteLength)
    sum.writeUInt32BE(crc32(body))
    return Buffer.concat([size, body, sum])
  }
  const head = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0])
  head.writeUInt32BE(side, 0)
  head.writeUInt32BE(side, 4)
  const pixels = deflateSync(Buffer.alloc(side * (1 + Math.ceil(side / 8))))
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', head),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

it('stores a photo under a random name, and returns its id and sizes', async () => {
  const { status, body } = await send({ bytes: await jpeg(), name: '../../etc/x.png' })
  const { image_id, picture } = body as unknown as UploadedImage
  expect([status, image_id > 0, picture]).toMatchObject([200, true, { width: 320, height: 240, widths: [160, 320] }])
  expect(picture.token).toMatch(/^[0-9a-f]{32}$/)
  const file = await clerk.get(`/uploads/${picture.token}-320.webp`)
  expect([file.status, file.headers['content-type'], file.headers['x-content-type-options']]).toEqual([200, 'image/webp', 'nosniff'])
})

describe('other content than a picture', () => {
  const cases: [string, () => Promise<SentFile> | SentFile, number, RegExp][] = [
    ['an SVG with a script', () => ({ bytes: SVG, name: 'a.svg', type: 'image/svg+xml' }), 422, /Unsupported picture/],
    ['an SVG that says it is a JPEG', () => ({ bytes: SVG }), 422, /Unsupported picture/],
    ['a page named .jpg', () => ({ bytes: `<!doctype html>${SCRIPT}` }), 422, /Unsupported picture/],
    [
      'a page behind first bytes of a JPEG',
      () => ({ bytes: Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.from(SVG)]) }),
      422,
      /Unsupported picture/,
    ],
    ['30,000 times 30,000 pixels', () => ({ bytes: pngBomb(30_000), name: 'bomb.png', type: 'image/png' }), 422, /too many pixels/],
    ['20 MB', () => ({ bytes: Buffer.alloc(20 * 1024 * 1024, 0xff) }), 413, /too large/],
    ['nothing at all', () => ({ bytes: '' }), 422, /^This file is empty/],
    ['half a photograph', async () => ({ bytes: (await photo(900, 900).jpeg().toBuffer()).subarray(0, 700) }), 422, /Unsupported picture/],
  ]
  it.each(cases)('%s is rejected with a message', async (_name, file, status, words) => {
    const before = await storedFiles()
    const response = await send(await file())
    expect([response.status, response.body.message]).toEqual([status, expect.stringMatching(words)])
    expect([await rows(), await storedFiles()]).toEqual([[], before])
  })

  it.each(['cow.php.jpg', 'cow.jpg.exe', 'cow', 'গরু ১.jpg', 'a\u0000b.jpg', '..\\..\\x.png'])('the name %s is ignored', async (name) => {
    const { status, body } = await send({ bytes: await jpeg(), name, type: 'text/html' })
    expect([status, (body as unknown as UploadedImage).picture.token]).toEqual([200, expect.stringMatching(/^[0-9a-f]{32}$/)])
  })

  it('stores neither the location of the photo nor appended data', async () => {
    const bytes = Buffer.concat([
      await photo()
        .withExif({ IFD3: { GPSLatitude: '23/1 48/1 0/1', GPSLatitudeRef: 'N' } })
        .jpeg()
        .toBuffer(),
      Buffer.from(SCRIPT),
    ])
    const { picture } = (await send({ bytes })).body as unknown as UploadedImage
    for (const name of (await storedFiles()).filter((file) => file.startsWith(picture.token))) {
      const stored = await readFile(path.join(uploads, name))
      expect([stored.includes(SCRIPT), (await sharp(stored).metadata()).exif]).toEqual([false, undefined])
    }
  })
})

describe('a malformed form', () => {
  const boundary = { 'content-type': 'multipart/form-data; boundary=boundary-of-a-test' }
  const raw = async (body: Buffer | string, headers: Record<string, string> = boundary) =>
    clerk.send('POST', '/admin/uploads/images', Buffer.from(body as string), {
      headers: { accept: 'application/json', 'x-csrf-token': await clerk.token(), ...headers },
    })
  it('is rejected, and nothing is stored', async () => {
    const whole = multipartBody([{ bytes: await jpeg() }])
    const responses = [
      await raw(whole.subarray(0, -60)),
      await raw('--boundary-of-a-test--\r\n'),
      await raw('nonsense'),
      await raw('{}', { 'content-type': 'application/json' }),
      await raw('x=1', { 'content-type': 'application/x-www-form-urlencoded' }),
      await raw(whole, { 'content-type': 'multipart/form-data' }),
      await raw('hello', { 'content-type': 'text/html' }),
      await send({ bytes: 'x', field: '__proto__' }),
    ]
    expect(responses.map(({ status }) => [400, 406, 413, 415, 422].includes(status))).toEqual(responses.map(() => true))
    expect(responses.every(({ body }) => body.message)).toBe(true)
    expect(await rows()).toEqual([])
  })

  it('with several files: one is stored', async () => {
    const { status } = await send({ bytes: await jpeg() }, { bytes: await jpeg() })
    expect([status, (await rows()).length]).toEqual([200, 1])
  })

  it('a large body is accepted by upload routes only', async () => {
    const response = await postFiles(clerk, '/admin/areas/store', [{ bytes: await jpeg() }])
    expect(response.status).toBe(415)
  })

  it('without the token changes nothing', async () => {
    const response = await postFiles(clerk, '/admin/uploads/images', [{ bytes: await jpeg() }], { 'x-csrf-token': 'x' })
    expect([response.status, await rows()]).toEqual([403, []])
  })
})

it('concurrent uploads are all stored', async () => {
  const bytes = await jpeg()
  const responses = await Promise.all(Array.from({ length: 6 }, () => send({ bytes })))
  expect(responses.map(({ status }) => status)).toEqual(Array(6).fill(200))
  expect((await rows()).length).toBe(6)
})

describe('cropping', () => {
  const stored = async () => (await send({ bytes: await photo(1000, 1000).jpeg().toBuffer() })).body as unknown as UploadedImage
  const crop = (id: number, body: object) => clerk.post(`/admin/uploads/images/${id}/crop`, body)
  it('creates a new picture, and does not change the old one', async () => {
    const { image_id } = await stored()
    const { status, body } = await crop(image_id, { x: 0.1, y: 0.2, width: 0.8, height: 0.6 })
    const cut = body as unknown as UploadedImage
    expect([status, cut.picture.width / cut.picture.height, cut.image_id !== image_id]).toEqual([200, 4 / 3, true])
    expect((await rows()).length).toBe(2)
  })
  it('rejects invalid frames, and unknown pictures', async () => {
    const { image_id } = await stored()
    const frame = { x: 0, y: 0, width: 1, height: 1 }
    expect((await crop(999_999_999, frame)).status).toBe(404)
    for (const wrong of [{ x: -1 }, { x: 0.5 }, { width: 0 }, { height: 2 }, { y: 'a' }, { more: 1 }, { x: null }])
      expect((await crop(image_id, { ...frame, ...wrong })).status).toBe(422)
  })
})

describe('videos', () => {
  const video = readFile('db/demo/videos/K-101.mp4')
  const send = async (bytes: Buffer | string) => postFiles(clerk, '/admin/uploads/videos', [{ bytes, name: 'a.mp4', type: 'video/mp4' }])
  const box = (type: string, ...inside: (Buffer | string)[]) => {
    const body = Buffer.concat([Buffer.from(type), ...inside.map((part) => Buffer.from(part as string))])
    const size = Buffer.alloc(4)
    size.writeUInt32BE(body.byteLength + 4)
    return Buffer.concat([size, body])
  }
  const ftyp = box('ftyp', 'isom', 'isomiso2')
  const movieWith = (...parts: Buffer[]) =>
    Buffer.concat([ftyp, box('moov', box('trak', media('vide')), ...parts), box('mdat', 'pictures')])
  /** Tracks that each hold nothing but the next one: their heads alone are the file. */
  const nested = (levels: number) => {
    const heads = Buffer.from('....trak'.repeat(levels))
    for (let level = 0; level < levels; level++) heads.writeUInt32BE((levels - level) * 8, level * 8)
    return heads
  }
  /** The part of a track that names its kind. */
  const media = (kind: 'vide' | 'soun') => box('mdia', box('hdlr', Buffer.alloc(8), kind, Buffer.alloc(13)))

  it('are stored under a random name, and support range requests', async () => {
    const { status, body } = await send(await video)
    const { url: address } = body as unknown as { url: string }
    expect([status, address]).toEqual([200, expect.stringMatching(/^\/uploads\/[0-9a-f]{32}\.mp4$/)])
    const part = await clerk.get(address, { range: 'bytes=0-99' })
    expect([part.status, part.headers['content-type'], part.headers['content-length']]).toEqual([206, 'video/mp4', '100'])
  })

  it('are stored without metadata, with unchanged content', async () => {
    const place = '+23.8103+090.4125/'
    const bytes = Buffer.concat([
      ftyp,
      box('moov', box('udta', '\u00a9xyz', place), box('trak', media('soun')), box('trak', box('meta', place), media('vide'))),
      box('mdat', 'pictures'),
    ])
    const { url: address } = (await send(bytes)).body as unknown as { url: string }
    const stored = await readFile(path.join(uploads, path.basename(address)))
    expect([stored.byteLength, stored.includes('+23.8'), stored.includes('mdia'), stored.includes('pictures')]).toEqual([
      bytes.byteLength,
      false,
      true,
      true,
    ])
  })

  const cases: [string, () => Buffer | string, number][] = [
    ['a page', () => '<!doctype html><script>alert(1)</script>', 422],
    ['a page behind the first bytes of a video', () => Buffer.concat([ftyp, Buffer.from('<script>alert(1)</script>')]), 422],
    ['a video without pictures', () => Buffer.concat([ftyp, box('moov', box('trak', ''))]), 422],
    ['a sound recording', () => Buffer.concat([ftyp, box('moov', box('trak', media('soun'))), box('mdat', 'sound')]), 422],
    ['boxes with a wrong size', () => Buffer.concat([ftyp, Buffer.from([0x7f, 0xff, 0xff, 0xff]), Buffer.from('moov')]), 422],
    ['tracks within tracks, as deep as the file is long', () => movieWith(nested(12_000)), 422],
    [
      'many tracks of many boxes',
      () => movieWith(...Array.from({ length: 120 }, () => box('trak', ...Array.from({ length: 100 }, () => box('free'))))),
      422,
    ],
    ['very many empty boxes', () => Buffer.concat([ftyp, ...Array.from({ length: 12_000 }, () => box('free'))]), 422],
    ['a QuickTime file of a phone', () => Buffer.concat([box('ftyp', 'qt  '), box('moov'), box('mdat')]), 422],
    ['nothing', () => '', 422],
    ['a picture', () => Buffer.from([0xff, 0xd8, 0xff, 0xe0]), 422],
    ['61 MB', () => Buffer.alloc(61 * 1024 * 1024), 413],
  ]
  it.each(cases)('%s is rejected, and nothing is stored', async (_name, bytes, status) => {
    const before = await storedFiles()
    const response = await send(bytes())
    expect([response.status, typeof response.body.message]).toEqual([status, 'string'])
    expect(await storedFiles()).toEqual(before)
  })
})

describe('unreferenced uploads', () => {
  const tomorrow = new Date(Date.now() + 90_000_000)
  const video = readFile('db/demo/videos/K-101.mp4')
  const upload = async () => ({
    image: (await send({ bytes: await jpeg() })).body as unknown as UploadedImage,
    video: ((await postFiles(clerk, '/admin/uploads/videos', [{ bytes: await video }])).body as unknown as { url: string }).url,
  })
  it('are deleted after a day, and not before', async () => {
    await sql`truncate videos`.execute(db)
    const one = await upload()
    expect(await deleteOrphanedUploads(db, shop.deps.uploads, new Date())).toBe(0)
    expect(await deleteOrphanedUploads(db, shop.deps.uploads, tomorrow)).toBe(2)
    expect([
      await rows(),
      (await storedFiles()).filter((name) => name.startsWith(one.image.picture.token) || one.video.endsWith(name)),
    ]).toEqual([[], []])
  })
  it('whose files cannot be deleted stay for the next run, and block no others', async () => {
    await sql`truncate videos`.execute(db)
    const [stuck, other] = [await upload(), await upload()]
    const isOf = ({ image, video: address }: typeof stuck, name: string) => name.startsWith(image.picture.token) || address.endsWith(name)
    const left = async (one: typeof stuck) => (await storedFiles()).filter((name) => isOf(one, name))
    const real = shop.deps.uploads
    const remove = (name: string) =>
      isOf(stuck, name) && /\.(avif|mp4)$/.test(name) ? Promise.reject(new Error('not permitted')) : real.delete(name)
    const failing = { delete: remove, deleteOldDrafts: async () => {} } as unknown as Uploads
    await expect(deleteOrphanedUploads(db, failing, tomorrow)).rejects.toThrow('not permitted')
    expect([(await left(stuck)).length > 2, await left(other)]).toEqual([true, []])
    expect([await deleteOrphanedUploads(db, real, tomorrow), await left(stuck)]).toEqual([2, []])
  })
  it('of a killed process are deleted after a day, even half-written', async () => {
    const draft = await shop.deps.uploads.draft('killed.mp4')
    await writeFile(draft, 'half a video')
    await deleteOrphanedUploads(db, shop.deps.uploads, new Date())
    expect(existsSync(draft)).toBe(true)
    await deleteOrphanedUploads(db, shop.deps.uploads, tomorrow)
    expect(existsSync(draft)).toBe(false)
  })
  it('stay while a product, a weighing or a setting references them', async () => {
    await sql`truncate videos`.execute(db)
    const [shown, set] = [await upload(), await upload()]
    const product = await buildProduct(db)
    await sql`insert into product_media (product_id, position, kind, image_id) values (${product.id}, 0, 'image', ${shown.image.image_id})`.execute(
      db,
    )
    await sql`insert into product_media (product_id, position, kind, video_url) values (${product.id}, 1, 'video', ${shown.video})`.execute(
      db,
    )
    await sql`insert into settings (key, value) values ('hero', ${JSON.stringify({ wide: set.image.picture, tall: null })}::jsonb)`.execute(
      db,
    )
    expect(await deleteOrphanedUploads(db, shop.deps.uploads, tomorrow)).toBe(1)
    expect((await rows()).length).toBe(2)
    await sql`delete from settings where key = 'hero'`.execute(db)
  })
})
