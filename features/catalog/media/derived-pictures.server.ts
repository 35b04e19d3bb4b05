// JPEG and PNG files of stored pictures for programs that do not read WebP: link previews, feeds, mail programs, home screens.
import pLimit from 'p-limit'
import type { Sharp } from 'sharp'
import type { Db } from '#lib/db/db.server.ts'
import { readUpload, type Uploads } from '#lib/files/uploads.server.ts'
import { type DerivedKind, derivedName } from '#lib/files/derived-picture.ts'
import { fileName, imageLibrary } from './images.server.ts'

/** The size that Facebook and WhatsApp show in full (developers.facebook.com/docs/sharing/webmasters/images). */
export const SHARE_SIZE = { width: 1200, height: 630 }
const FEED_SIZE = { width: 1200, height: 1200 }
const MARK_SIZE = { width: 378, height: 108 }
const LOGO_SIZE = { width: 480, height: 240 }
const ICON_SIZE = { width: 512, height: 512 }

const JPEG = { quality: 80, mozjpeg: true }
const WEBP = { quality: 85, effort: 5 }
const PNG = { compressionLevel: 9, effort: 8, palette: true }
const WHITE = '#fff'
const TRANSPARENT = { r: 0, g: 0, b: 0, alpha: 0 }

/** Pictures made at a time: a crawler that asks for many must not take the processor from shoppers. */
const limit = pLimit(1)
const inProgress = new Map<string, Promise<Buffer | null>>()

/** How each kind is made of the largest WebP. A drawing is shown whole in a link preview; of a photo the part that stands out. */
const MAKERS: Record<DerivedKind, (source: Sharp, isIllustration: boolean) => Sharp> = {
  og: (source, isIllustration) =>
    source
      .resize({ ...SHARE_SIZE, ...(isIllustration ? { fit: 'contain', background: WHITE } : { fit: 'cover', position: 'attention' }) })
      .flatten({ background: WHITE })
      .jpeg(JPEG),
  feed: (source) =>
    source
      .resize({ ...FEED_SIZE, fit: 'inside', withoutEnlargement: true })
      .flatten({ background: WHITE })
      .jpeg(JPEG),
  mark: (source) => source.resize({ ...MARK_SIZE, fit: 'inside', withoutEnlargement: true }).webp(WEBP),
  logo: (source) => source.resize({ ...LOGO_SIZE, fit: 'inside', withoutEnlargement: true }).png(PNG),
  icon: (source) =>
    source
      .resize({ ...ICON_SIZE, fit: 'contain', background: TRANSPARENT })
      .flatten({ background: WHITE })
      .png(PNG),
}

/** A derived file, made and stored at its first use, and deleted with the picture. Null when there is no such picture. */
export function findDerivedPicture(db: Db, uploads: Uploads, token: string, kind: DerivedKind): Promise<Buffer | null> {
  const name = derivedName({ token }, kind)
  const running = inProgress.get(name)
  if (running) return running
  const made = findOrMake(db, uploads, token, kind).finally(() => inProgress.delete(name))
  inProgress.set(name, made)
  return made
}

async function findOrMake(db: Db, uploads: Uploads, token: string, kind: DerivedKind): Promise<Buffer | null> {
  const name = derivedName({ token }, kind)
  const stored = await readUpload(uploads, name)
  if (stored) return stored
  const picture = await db.selectFrom('images').select(['widths', 'is_illustration']).where('token', '=', token).executeTakeFirst()
  const source = picture && (await readUpload(uploads, fileName({ token }, picture.widths.at(-1)!, 'webp')))
  if (!source) return null
  return limit(async () => {
    const sharp = await imageLibrary()
    const bytes = await MAKERS[kind](sharp(source), picture.is_illustration).toBuffer()
    await uploads.write(name, bytes)
    // Of a picture that was deleted meanwhile no job would find the file.
    if (await db.selectFrom('images').select('id').where('token', '=', token).executeTakeFirst()) return bytes
    await uploads.delete(name)
    return null
  })
}
