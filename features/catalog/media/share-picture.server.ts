import { access } from 'node:fs/promises'
import pLimit from 'p-limit'
import type { Db } from '#lib/db/db.server.ts'
import { imageLibrary, pictureFile, writeWhole } from './images.server.ts'

/** The size that Facebook and WhatsApp show in full (developers.facebook.com/docs/sharing/webmasters/images). */
export const SHARE_SIZE = { width: 1200, height: 630 }

const JPEG = { quality: 80, mozjpeg: true }

/** Pictures made at a time: a crawler that asks for many must not take the processor from shoppers. */
const limit = pLimit(1)
const inProgress = new Map<string, Promise<string | null>>()

/** The URL of the picture of a link preview; the file is made when it is first requested. */
export function sharePictureUrl({ token }: { token: string }): string {
  return `/uploads/${token}-og.jpg`
}

/**
 * Makes the preview of a stored picture unless its file exists: one JPEG per picture, in one size, deleted with the picture. Returns its path,
 * null when there is no such picture.
 */
export function ensureSharePicture(db: Db, dataDir: string, token: string): Promise<string | null> {
  const running = inProgress.get(token)
  if (running) return running
  const made = ensure(db, dataDir, token).finally(() => inProgress.delete(token))
  inProgress.set(token, made)
  return made
}

async function ensure(db: Db, dataDir: string, token: string): Promise<string | null> {
  const target = pictureFile(dataDir, { token }, 'og', 'jpg')
  if (await exists(target)) return target
  const picture = await db.selectFrom('images').select(['widths', 'is_illustration']).where('token', '=', token).executeTakeFirst()
  if (!picture) return null
  const source = pictureFile(dataDir, { token }, picture.widths.at(-1)!, 'webp')
  if (!(await exists(source))) return null
  await limit(async () => {
    const sharp = await imageLibrary()
    // A drawing is shown whole; of a photo the part that stands out.
    const fit = picture.is_illustration ? { fit: 'contain' as const, background: '#fff' } : { fit: 'cover' as const, position: 'attention' }
    const image = sharp(source)
      .resize({ ...SHARE_SIZE, ...fit })
      .flatten({ background: '#fff' })
    await writeWhole(target, await image.jpeg(JPEG).toBuffer())
  })
  return target
}

const exists = (file: string) =>
  access(file).then(
    () => true,
    () => false,
  )
