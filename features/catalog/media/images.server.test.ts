import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sharp from 'sharp'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openUploads, type Uploads, uploadsFolder } from '#lib/files/uploads.server.ts'
import { encodePicture, MAX_IMAGE_BYTES } from './images.server.ts'

let dataDir: string
let uploads: Uploads

beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'khamar-images-'))
  uploads = openUploads(uploadsFolder(dataDir))
})
afterEach(() => rm(dataDir, { recursive: true }))

const storedFiles = () => readdir(path.join(dataDir, 'uploads')).catch(() => [])

function photo(width: number, height: number) {
  return sharp({ create: { width, height, channels: 3, background: '#c08040' } })
}

async function store(bytes: Uint8Array) {
  const result = await encodePicture(bytes)
  if (!result.ok) throw new Error(result.reason)
  for (const [name, file] of result.files) await uploads.write(name, file)
  return result.picture
}

describe('a stored picture', () => {
  test('has AVIF and WebP files of every width up to its own', async () => {
    const picture = await store(await photo(1000, 750).jpeg().toBuffer())
    expect(picture).toMatchObject({ width: 800, height: 600, widths: [160, 320, 480, 800], isIllustration: false })
    expect((await storedFiles()).toSorted()).toEqual(
      [160, 320, 480, 800].flatMap((w) => [`${picture.token}-${w}.avif`, `${picture.token}-${w}.webp`]).toSorted(),
    )
    const file = await sharp(path.join(dataDir, 'uploads', `${picture.token}-320.webp`)).metadata()
    expect([file.width, file.height]).toEqual([320, 240])
  })

  test('smaller than the smallest width is stored without enlarging', async () => {
    const picture = await store(await photo(90, 60).png().toBuffer())
    expect(picture).toMatchObject({ width: 90, height: 60, widths: [160] })
  })

  test('very tall or very wide is reduced to the limits of the encoders', async () => {
    expect((await store(await photo(100, 60_000).png().toBuffer())).height).toBeLessThanOrEqual(4000)
    expect((await store(await photo(60_000, 100).png().toBuffer())).width).toBe(1200)
  })

  test('is rotated upright and has no metadata', async () => {
    const bytes = await photo(600, 400)
      .withExif({ IFD0: { Copyright: 'somebody' }, IFD3: { GPSLatitude: '23/1 48/1 0/1', GPSLatitudeRef: 'N' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
    expect((await sharp(bytes).metadata()).exif).toBeDefined()
    const picture = await store(bytes)
    expect(picture).toMatchObject({ width: 320, height: 480 })
    for (const format of ['avif', 'webp']) {
      const file = await sharp(path.join(dataDir, 'uploads', `${picture.token}-320.${format}`)).metadata()
      expect([file.exif, file.xmp, file.orientation]).toEqual([undefined, undefined, undefined])
    }
  })

  test('has a placeholder of four colours, also for noise', async () => {
    const noise = Buffer.from({ length: 300 * 300 * 3 }).map((_, i) => (i * 7919 + ((i * i) >> 3)) % 256)
    const bytes = await sharp(noise, { raw: { width: 300, height: 300, channels: 3 } })
      .png()
      .toBuffer()
    const picture = await store(bytes)
    expect(picture.placeholder).toMatch(/^linear-gradient\((#[\da-f]{6},){3}#[\da-f]{6}\)$/)
  })

  test.each([1, 2, 3, 4] as const)('of %i channels has a placeholder of four colours', async (channels) => {
    const raw = Buffer.alloc(40 * 40 * channels, 90)
    const bytes = await sharp(raw, { raw: { width: 40, height: 40, channels } })
      .png()
      .toBuffer()
    expect((await store(bytes)).placeholder).toMatch(/^linear-gradient\((#[\da-f]{6},){3}#[\da-f]{6}\)$/)
  })

  test('has a random file name', async () => {
    const picture = await store(await photo(200, 200).webp().toBuffer())
    expect(picture.token).toMatch(/^[0-9a-f]{32}$/)
  })

  test('with appended data is stored without it', async () => {
    const payload = '<script>alert(1)</script>'
    const bytes = Buffer.concat([await photo(200, 200).jpeg().toBuffer(), Buffer.from(payload)])
    const picture = await store(bytes)
    for (const name of await storedFiles()) {
      expect(name.startsWith(picture.token)).toBe(true)
      expect((await readFile(path.join(dataDir, 'uploads', name))).includes(payload)).toBe(false)
    }
  })
})

describe('rejected', () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="30" height="30"><script>alert(1)</script></svg>'
  const cases: [string, () => Promise<Uint8Array> | Uint8Array, string][] = [
    ['nothing at all', () => Buffer.alloc(0), 'not-an-image'],
    ['an SVG with a script', () => Buffer.from(svg), 'not-an-image'],
    ['a web page named .jpg', () => Buffer.from('<!doctype html><script>alert(1)</script>'), 'not-an-image'],
    ['a GIF', () => Buffer.from('R0lGODlhAQABAAAAACwAAAAAAQABAAA=', 'base64'), 'not-an-image'],
    ['a photo of an iPhone', () => Buffer.from('\0\0\0\x24ftypheic\0\0\0\0mif1heic', 'latin1'), 'heic'],
    ['a TIFF', () => photo(50, 50).tiff().toBuffer(), 'not-an-image'],
    [
      "a page behind a picture's first bytes",
      () => Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.from(svg)]),
      'not-an-image',
    ],
    ['half a photograph', async () => (await photo(900, 900).jpeg().toBuffer()).subarray(0, 700), 'not-an-image'],
    ['a small file of 36 million pixels', () => photo(6000, 6000).png().toBuffer(), 'too-many-pixels'],
    ['few pixels in rows that are too long', () => photo(65_536, 10).png().toBuffer(), 'too-many-pixels'],
    ['few pixels in columns that would be such rows', () => photo(10, 65_536).png().toBuffer(), 'too-many-pixels'],
    ['more than 12 MB', () => Buffer.alloc(MAX_IMAGE_BYTES + 1, 0xff), 'too-large'],
  ]
  test.each(cases)('%s', async (_name, bytes, reason) => {
    expect(await encodePicture(await bytes())).toEqual({ ok: false, reason })
  })
})
