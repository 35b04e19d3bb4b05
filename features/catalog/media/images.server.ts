// Uploaded pictures: checked, rotated upright, stored without metadata in a few widths.
import { randomBytes } from 'node:crypto'
import pLimit from 'p-limit'
import type { Db } from '#lib/db/db.server.ts'
import type { Uploads } from '#lib/files/uploads.server.ts'
import { toCamel } from '#lib/db/rows.ts'
import type { Picture } from '../types.ts'
import { DERIVED_KINDS, derivedName } from '#lib/files/derived-picture.ts'

export const PICTURE_WIDTHS = [160, 320, 480, 800, 1200]
export const MAX_IMAGE_BYTES = 12 * 1024 * 1024
const MAX_PIXELS = 24e6
/** The longest side of a JPEG. The library works in strips of whole rows: one of a million pixels took 1.5 GB, for a file of 90 KB. */
const MAX_SIDE = 65_535

export type ImageRefusal = 'not-an-image' | 'heic' | 'too-large' | 'too-many-pixels'

/** Pictures encoded at a time. The encoders use all cores: more at once would only slow down other requests. */
export const limitEncoding = pLimit(2)

export type StoredImage = { imageId: number; picture: Picture }
export type StoreImageResult = ({ ok: true } & StoredImage) | { ok: false; reason: ImageRefusal }

/** The response to an upload. */
export interface UploadedImage {
  image_id: number
  picture: Picture
}

interface Options {
  isIllustration?: boolean
}

/** Encoder settings. Effort is 0 (fast, large) to 6 (WebP) or 9 (AVIF). */
const AVIF = { quality: 52, chromaSubsampling: '4:2:0', effort: 2 }
/** Large AVIF files are rarely fetched and take longest to encode. */
const LARGE_AVIF = { ...AVIF, effort: 1 }
const WEBP = { quality: 76, effort: 3 }

/**
 * Stores a JPEG, PNG or WebP as a row of `images` and as AVIF and WebP files in the uploads. The id is returned after the last file, so that a
 * row in use has its files. Files of a killed process have a row, by which `deleteOrphanedUploads` finds them. Other content is rejected
 * with a reason.
 */
export async function storeImage(db: Db, uploads: Uploads, bytes: Uint8Array, options: Options = {}): Promise<StoreImageResult> {
  const encoded = await encodePicture(bytes, options)
  if (!encoded.ok) return encoded
  const { picture, files } = encoded
  const imageId = await recordPicture(db, picture)
  try {
    for (const [name, file] of files) await uploads.write(name, file)
  } catch (error) {
    await discardPicture(db, uploads, picture)
    throw error
  }
  return { ok: true, imageId, picture }
}

/** Crops a stored picture to a rectangle (shares of width and height) and stores it as a new one; null when there is no such picture. */
export async function cropImage(
  db: Db,
  uploads: Uploads,
  imageId: number,
  crop: { x: number; y: number; width: number; height: number },
): Promise<StoreImageResult | null> {
  const picture = await findPicture(db, imageId)
  if (!picture) return null
  const sharp = await imageLibrary()
  const largest = await uploads.find(fileName(picture, picture.widths.at(-1)!, 'webp'))
  if (!largest) return null
  const whole = sharp(largest)
  const { width, height } = await whole.metadata()
  const [left, top] = [Math.floor(crop.x * width), Math.floor(crop.y * height)]
  const cut = await whole
    .extract({
      left,
      top,
      width: Math.max(1, Math.min(width - left, Math.round(crop.width * width))),
      height: Math.max(1, Math.min(height - top, Math.round(crop.height * height))),
    })
    .png({ compressionLevel: 1 })
    .toBuffer()
  return storeImage(db, uploads, cut, { isIllustration: picture.isIllustration })
}

async function findPicture(db: Db, id: number): Promise<Picture | null> {
  const row = await db
    .selectFrom('images')
    .select(['token', 'width', 'height', 'widths', 'placeholder', 'is_illustration'])
    .where('id', '=', id)
    .executeTakeFirst()
  return row ? toCamel<Picture>(row) : null
}

/** Whether there is a picture with the id. It is not deleted before the transaction ends. */
export async function holdPicture(tx: Db, id: number): Promise<boolean> {
  return (await tx.selectFrom('images').select('id').where('id', '=', id).forKeyShare().executeTakeFirst()) !== undefined
}

export type EncodePictureResult = { ok: true; picture: Picture; files: Map<string, Buffer> } | { ok: false; reason: ImageRefusal }

/** Encodes a picture; returns its files by their names. */
export async function encodePicture(bytes: Uint8Array, options: Options = {}): Promise<EncodePictureResult> {
  if (bytes.byteLength > MAX_IMAGE_BYTES) return { ok: false, reason: 'too-large' }
  const read = await readPicture(bytes)
  if (!read.ok) return read
  const { pixels } = read
  const token = randomBytes(16).toString('hex')
  const widths = PICTURE_WIDTHS.filter((w, i) => i === 0 || w <= pixels.width)
  const placeholder = await placeholderOf(pixels)
  const { files, ...size } = await encodeFiles({ token, widths }, pixels)
  return { ok: true, picture: { token, ...size, widths, placeholder, isIllustration: options.isIllustration ?? false }, files }
}

/**
 * Writes the files of a picture whose AVIF files are encoded already: copies those, and encodes the WebP files from the largest.
 * The demo shop ships AVIF files only, because decoding one and encoding WebP is ten times as fast as encoding AVIF.
 */
export async function storeEncodedImageFiles(
  uploads: Uploads,
  token: string,
  avifFiles: ReadonlyMap<number, Buffer>,
  { effort }: { effort: number },
): Promise<void> {
  const widths = [...avifFiles.keys()].toSorted((a, b) => a - b)
  const sharp = await imageLibrary()
  let image = sharp(avifFiles.get(widths.at(-1)!)).toColourspace('srgb')
  // Each width is made from the next larger one, which is cheaper than from the largest.
  for (const width of widths.toReversed()) {
    const { data, info } = await image.resize({ width, withoutEnlargement: true }).raw().toBuffer({ resolveWithObject: true })
    image = sharp(data, { raw: info })
    await uploads.write(
      fileName({ token }, width, 'webp'),
      await image
        .clone()
        .webp({ ...WEBP, effort })
        .toBuffer(),
    )
    await uploads.write(fileName({ token }, width, 'avif'), avifFiles.get(width)!)
  }
}

/** Inserts the row of a picture; returns its id. */
export async function recordPicture(db: Db, picture: Picture): Promise<number> {
  const { isIllustration, ...values } = picture
  const { id } = await db
    .insertInto('images')
    .values({ ...values, is_illustration: isIllustration })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

interface Pixels {
  data: Buffer
  width: number
  height: number
  channels: 1 | 2 | 3 | 4
}

/** Loads the image library at its first use, so that a shop without uploads does not hold it in memory. */
export async function imageLibrary() {
  const { default: sharp } = await import('sharp')
  sharp.cache(false)
  return sharp
}

/** Detects the format from the first bytes. The name and the declared type of the file are ignored. */
function looksLikePicture(bytes: Uint8Array): boolean {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 16))
  const isJpeg = head.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))
  const isPng = head.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]))
  const isWebp = head.toString('latin1', 0, 4) === 'RIFF' && head.toString('latin1', 8, 12) === 'WEBP'
  return isJpeg || isPng || isWebp
}

/** A photo as phones take it by default, which few browsers can show. */
function isHeic(bytes: Uint8Array): boolean {
  return /^ftyp(hei|hev|mif1|msf1)/.test(Buffer.from(bytes).toString('latin1', 4, 12))
}

async function readPicture(
  bytes: Uint8Array,
): Promise<{ ok: true; pixels: Pixels } | { ok: false; reason: Exclude<ImageRefusal, 'too-large'> }> {
  if (!looksLikePicture(bytes)) return { ok: false, reason: isHeic(bytes) ? 'heic' : 'not-an-image' }
  const sharp = await imageLibrary()
  try {
    const { format, width, height } = await sharp(bytes, { limitInputPixels: false }).metadata()
    if (!['jpeg', 'png', 'webp'].includes(format)) return { ok: false, reason: 'not-an-image' }
    if (width * height > MAX_PIXELS || Math.max(width, height) > MAX_SIDE) return { ok: false, reason: 'too-many-pixels' }
    const { data, info } = await sharp(bytes, { limitInputPixels: MAX_PIXELS })
      .rotate() // by the EXIF orientation
      .resize({ width: PICTURE_WIDTHS.at(-1)!, height: 4000, fit: 'inside', withoutEnlargement: true })
      .toColourspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true })
    return { ok: true, pixels: { data, width: info.width, height: info.height, channels: info.channels } }
  } catch {
    return { ok: false, reason: 'not-an-image' } // truncated, or a picture in its first bytes only
  }
}

async function fromPixels({ data, ...raw }: Pixels) {
  const sharp = await imageLibrary()
  return sharp(data, { raw })
}

/** Four colours of the picture from top to bottom as a CSS gradient. A blurred picture would take many more bytes on a page. */
async function placeholderOf(pixels: Pixels): Promise<string> {
  const bands = await (
    await fromPixels(pixels)
  )
    .resize(1, 4, { fit: 'fill' })
    .flatten({ background: '#fff' })
    .toColourspace('srgb')
    .raw()
    .toBuffer()
  const colours = [0, 1, 2, 3].map((band) => `#${bands.toString('hex', band * 3, band * 3 + 3)}`)
  return `linear-gradient(${colours.join()})`
}

/** The name of a file of a picture. */
export const fileName = ({ token }: Pick<Picture, 'token'>, width: number, format: 'avif' | 'webp') => `${token}-${width}.${format}`

/** Every width in both formats, and the size of the largest. */
async function encodeFiles(picture: Pick<Picture, 'token' | 'widths'>, pixels: Pixels) {
  const files = new Map<string, Buffer>()
  let largest = { width: pixels.width, height: pixels.height }
  for (const width of picture.widths) {
    const image = (await fromPixels(pixels)).resize({ width, withoutEnlargement: true })
    const [avif, webp] = await Promise.all([
      image
        .clone()
        .avif(width > 480 ? LARGE_AVIF : AVIF)
        .toBuffer(),
      image.clone().webp(WEBP).toBuffer({ resolveWithObject: true }),
    ])
    files.set(fileName(picture, width, 'avif'), avif)
    files.set(fileName(picture, width, 'webp'), webp.data)
    largest = { width: webp.info.width, height: webp.info.height }
  }
  return { ...largest, files }
}

/** The names of all files of a picture. */
export function pictureFiles(picture: Pick<Picture, 'token' | 'widths'>): string[] {
  const stored = picture.widths.flatMap((w) => [fileName(picture, w, 'avif'), fileName(picture, w, 'webp')])
  return [...stored, ...DERIVED_KINDS.map((kind) => derivedName(picture, kind))]
}

/** Deletes a picture that nothing refers to. Its row stays when the files could not be deleted, so that `deleteOrphanedUploads` finds them. */
export async function discardPicture(db: Db, uploads: Uploads, picture: Pick<Picture, 'token' | 'widths'>): Promise<void> {
  try {
    await Promise.all(pictureFiles(picture).map((name) => uploads.delete(name)))
    await db.deleteFrom('images').where('token', '=', picture.token).execute()
  } catch {}
}
