import pLimit from 'p-limit'
import type { Db } from '#lib/db/db.server.ts'
import type { Uploads } from '#lib/files/uploads.server.ts'
import { fileName, imageLibrary } from './images.server.ts'

/** The size that Facebook and WhatsApp show in full (developers.facebook.com/docs/sharing/webmasters/images). */
export const SHARE_SIZE = { width: 1200, height: 630 }

const JPEG = { quality: 80, mozjpeg: true }

/** Pictures made at a time: a crawler that asks for many must not take the processor from shoppers. */
const limit = pLimit(1)
const inProgress = new Map<string, Promise<Buffer | null>>()

/** The URL of the picture of a link preview; the file is made when it is first requested. */
export function sharePictureUrl({ token }: { token: string }): string {
  return `/uploads/${token}-og.jpg`
}

/**
 * The preview of a stored picture, made and stored at its first use: one JPEG per picture, in one size, deleted with the picture. Null when
 * there is no such picture.
 */
export function findSharePicture(db: Db, uploads: Uploads, token: string): Promise<Buffer | null> {
  const running = inProgress.get(token)
  if (running) return running
  const made = findOrMake(db, uploads, token).finally(() => inProgress.delete(token))
  inProgress.set(token, made)
  return made
}

async function findOrMake(db: Db, uploads: Uploads, token: string): Promise<Buffer | null> {
  const name = fileName({ token }, 'og', 'jpg')
  const stored = await uploads.find(name)
  if (stored) return stored
  const picture = await db.selectFrom('images').select(['widths', 'is_illustration']).where('token', '=', token).executeTakeFirst()
  const source = picture && (await uploads.find(fileName({ token }, picture.widths.at(-1)!, 'webp')))
  if (!source) return null
  return limit(async () => {
    const sharp = await imageLibrary()
    // A drawing is shown whole; of a photo the part that stands out.
    const fit = picture.is_illustration ? { fit: 'contain' as const, background: '#fff' } : { fit: 'cover' as const, position: 'attention' }
    const resized = sharp(source).resize({ ...SHARE_SIZE, ...fit })
    const preview = await resized.flatten({ background: '#fff' }).jpeg(JPEG).toBuffer()
    await uploads.write(name, preview)
    return preview
  })
}
