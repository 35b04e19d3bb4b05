import multipart, { type MultipartFile } from '@fastify/multipart'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import pLimit from 'p-limit'
import { type Db, isDatabaseAway } from '#lib/db/db.server.ts'
import { isDiskFull, isDiskReadOnly } from '#lib/files/disk-full.server.ts'
import { idParams } from '#lib/form-fields.ts'
import { cropImage, MAX_IMAGE_BYTES, storeImage, type StoreImageResult, type UploadedImage } from './images.server.ts'
import { MAX_VIDEO_BYTES, storeVideo, type LimitedStream } from './videos.server.ts'
import { cropBody } from './forms.ts'

/** Uploads come over village lines; every other call is far quicker than this. */
const SLOW_LINE_MS = 120_000
/** What a form adds to its file: names, boundaries. */
const ENVELOPE_BYTES = 16 * 1024
const RIGHT = ['catalog.write', 'weighins.write'] as const
const LIMIT = { max: 240, timeWindow: '1 minute' }

/** The calls that take pictures in, whatever they are for; a form then sends their ids. */
export function uploadsApi({ db, dataDir }: { db: Db; dataDir: string }): FastifyPluginAsyncZod {
  // The encoders use every core: more at once would only make shoppers wait.
  const inTurn = pLimit(2)

  return async (app) => {
    await app.register(multipart, { limits: { files: 1, fields: 5, parts: 6, fieldSize: 1024, headerPairs: 20 } })

    app.post(
      '/admin/uploads/images',
      {
        config: { right: RIGHT, rateLimit: LIMIT, timeoutMs: SLOW_LINE_MS },
        schema: { tags: ['admin'], summary: 'Take a picture in (multipart, one file)', consumes: ['multipart/form-data'] },
      },
      async (request, reply) => {
        const bytes = await readUpload(request, reply, MAX_IMAGE_BYTES, bytesOf)
        if (!bytes) return reply
        return answer(reply, await inTurn(() => storeImage(db, dataDir, bytes)))
      },
    )

    app.post(
      '/admin/uploads/videos',
      {
        config: { right: 'catalog.write', rateLimit: LIMIT, timeoutMs: SLOW_LINE_MS },
        schema: { tags: ['admin'], summary: 'Take a video in (multipart, one MP4)', consumes: ['multipart/form-data'] },
      },
      async (request, reply) => {
        const stored = await readUpload(request, reply, MAX_VIDEO_BYTES, ({ file }) => storeVideo(db, dataDir, file as LimitedStream))
        if (!stored) return reply
        if (stored.ok) return { url: stored.url }
        return reply.refuse(stored.reason === 'too-large' ? 413 : 422, `upload.${stored.reason}`)
      },
    )

    app.post(
      '/admin/uploads/images/:id/crop',
      {
        config: { right: RIGHT, rateLimit: LIMIT, timeoutMs: SLOW_LINE_MS },
        schema: { tags: ['admin'], summary: 'Cut a picture: a new one', params: idParams, body: cropBody },
      },
      async ({ params, body }, reply) => {
        const cut = await inTurn(() => cropImage(db, dataDir, params.id, body))
        return cut ? answer(reply, cut) : reply.refuse(404, 'error.not-found')
      },
    )
  }
}

function answer(reply: FastifyReply, stored: StoreImageResult): UploadedImage | ReturnType<FastifyReply['refuse']> {
  if (stored.ok) return { image_id: stored.imageId, picture: stored.picture }
  return reply.refuse(stored.reason === 'too-large' ? 413 : 422, `upload.${stored.reason}`)
}

/** What `take` makes of the request's one file, or null when it has been refused. Its name and declared type are not even looked at. */
async function readUpload<Taken>(
  request: FastifyRequest,
  reply: FastifyReply,
  most: number,
  take: (file: MultipartFile) => Promise<Taken | null>,
): Promise<Taken | null> {
  const refuse = async (status: number, key: 'upload.none' | 'upload.too-large' | 'upload.broken') => {
    await reply.refuse(status, key)
    return null
  }
  if (!request.isMultipart()) return refuse(422, 'upload.none')
  if (Number(request.headers['content-length'] ?? 0) > most + ENVELOPE_BYTES) return refuse(413, 'upload.too-large')
  try {
    const file = await request.file({ limits: { fileSize: most } })
    return (file && (await take(file))) ?? refuse(422, 'upload.none')
  } catch (error) {
    if (isDatabaseAway(error) || isDiskFull(error) || isDiskReadOnly(error)) throw error
    request.log.info({ err: error }, 'upload refused')
    return isTooLarge(error) ? refuse(413, 'upload.too-large') : refuse(422, 'upload.broken')
  }
}

async function bytesOf(file: MultipartFile): Promise<Buffer | null> {
  const bytes = await file.toBuffer()
  return bytes.byteLength > 0 ? bytes : null
}

function isTooLarge(error: unknown): boolean {
  return (error as { statusCode?: number }).statusCode === 413
}
