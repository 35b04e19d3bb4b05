// Photographs on their way in: looked at, turned upright, stripped of what the camera wrote, kept in a few widths.
import { randomBytes } from 'node:crypto'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Picture } from './types.ts'

export const PICTURE_WIDTHS = [160, 320, 480, 800, 1200]
export const MAX_IMAGE_BYTES = 12 * 1024 * 1024
const MAX_PIXELS = 24e6
const MAX_PLACEHOLDER = 400

/** Whatever runs SQL: a pool, or one connection in a transaction. */
export interface SqlRunner {
  query(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>
}

export type StoreImageResult =
  | { ok: true; imageId: number; picture: Picture }
  | { ok: false; reason: 'not-an-image' | 'too-large' | 'too-many-pixels' }

interface Options {
  isIllustration?: boolean
  /** 0 (quick) to 9 (small): how long the AVIF encoder may think. */
  effort?: number
}

/**
 * Keeps a JPEG, PNG or WebP as AVIF and WebP files under `{dataDir}/uploads` and as a row of `images`.
 * The row comes last, so a row always has all its files. What is not such a picture is refused with a reason.
 */
export async function storeImage(
  db: SqlRunner, dataDir: string, bytes: Uint8Array, options: Options = {},
): Promise<StoreImageResult> {
  if (bytes.byteLength > MAX_IMAGE_BYTES) return { ok: false, reason: 'too-large' }
  const read = await readPicture(bytes)
  if (!read.ok) return read
  const { pixels } = read
  const widths = PICTURE_WIDTHS.filter((w, i) => i === 0 || w <= pixels.width)
  const token = randomBytes(16).toString('hex')
  const placeholder = await tinyPreview(pixels)
  const files = await writeFiles(path.join(dataDir, 'uploads'), token, pixels, widths, options.effort ?? 4)
  try {
    const picture: Picture = {
      token, ...files.largest, widths, placeholder, isIllustration: options.isIllustration ?? false,
    }
    const { rows } = await db.query(
      `insert into images (token, width, height, widths, placeholder, is_illustration)
       values ($1, $2, $3, $4, $5, $6) returning id`,
      [token, picture.width, picture.height, widths, placeholder, picture.isIllustration],
    )
    return { ok: true, imageId: Number(rows[0]!['id']), picture }
  } catch (error) {
    await removeAll(files.paths)
    throw error
  }
}

interface Pixels { data: Buffer; width: number; height: number; channels: 1 | 2 | 3 | 4 }

// Loaded when the first picture comes: a shop that only sells should not carry the image library in memory.
async function imageLibrary() {
  const { default: sharp } = await import('sharp')
  sharp.cache(false)
  return sharp
}

/** The bytes themselves say what they are; a file's name and declared type are never asked. */
function looksLikePicture(bytes: Uint8Array): boolean {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 16))
  const isJpeg = head.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))
  const isPng = head.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]))
  const isWebp = head.toString('latin1', 0, 4) === 'RIFF' && head.toString('latin1', 8, 12) === 'WEBP'
  return isJpeg || isPng || isWebp
}

async function readPicture(bytes: Uint8Array): Promise<
  { ok: true; pixels: Pixels } | { ok: false; reason: 'not-an-image' | 'too-many-pixels' }
> {
  if (!looksLikePicture(bytes)) return { ok: false, reason: 'not-an-image' }
  const sharp = await imageLibrary()
  try {
    const { format, width, height } = await sharp(bytes, { limitInputPixels: false }).metadata()
    if (!['jpeg', 'png', 'webp'].includes(format)) return { ok: false, reason: 'not-an-image' }
    if (width * height > MAX_PIXELS) return { ok: false, reason: 'too-many-pixels' }
    const { data, info } = await sharp(bytes, { limitInputPixels: MAX_PIXELS })
      .rotate() // as the camera was held
      .resize({ width: PICTURE_WIDTHS.at(-1)!, height: 4000, fit: 'inside', withoutEnlargement: true })
      .toColourspace('srgb').raw().toBuffer({ resolveWithObject: true })
    return { ok: true, pixels: { data, width: info.width, height: info.height, channels: info.channels } }
  } catch {
    return { ok: false, reason: 'not-an-image' } // cut short, or only its first bytes are a picture's
  }
}

async function fromPixels({ data, ...raw }: Pixels) {
  const sharp = await imageLibrary()
  return sharp(data, { raw })
}

async function tinyPreview(pixels: Pixels): Promise<string> {
  for (const [size, quality] of [[16, 40], [10, 30], [6, 20], [4, 1]] as const) {
    const image = (await fromPixels(pixels)).resize(size, size, { fit: 'inside' })
    const uri = `data:image/webp;base64,${(await image.webp({ quality, effort: 4 }).toBuffer()).toString('base64')}`
    if (uri.length <= MAX_PLACEHOLDER) return uri
  }
  throw new Error('a preview of four pixels does not fit')
}

async function writeFiles(folder: string, token: string, pixels: Pixels, widths: number[], effort: number) {
  await mkdir(folder, { recursive: true })
  const paths: string[] = []
  let largest = { width: pixels.width, height: pixels.height }
  try {
    for (const width of widths) {
      const image = (await fromPixels(pixels)).resize({ width, withoutEnlargement: true })
      const [avif, webp] = await Promise.all([
        image.clone().avif({ quality: 52, effort }).toBuffer(),
        image.clone().webp({ quality: 76, effort: Math.min(effort, 6) }).toBuffer({ resolveWithObject: true }),
      ])
      largest = { width: webp.info.width, height: webp.info.height }
      for (const [format, file] of [['avif', avif], ['webp', webp.data]] as const) {
        const target = path.join(folder, `${token}-${width}.${format}`)
        paths.push(target)
        await writeWhole(target, file)
      }
    }
    return { paths, largest }
  } catch (error) {
    await removeAll(paths)
    throw error
  }
}

/** Under its own name only when complete: nobody is ever served half a picture. */
async function writeWhole(target: string, bytes: Buffer): Promise<void> {
  const draft = `${target}.part`
  try {
    await writeFile(draft, bytes)
    await rename(draft, target)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

async function removeAll(paths: string[]): Promise<void> {
  await Promise.all(paths.map((file) => rm(file, { force: true })))
}
