import multipart, { type MultipartFile } from '@fastify/multipart'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { type Db, isDatabaseAway } from '#lib/db/db.server.ts'
import { isBucketAway } from '#lib/files/bucket-error.server.ts'
import { cannotWriteFiles } from '#lib/files/disk-full.server.ts'
import type { Uploads } from '#lib/files/uploads.server.ts'
import { idParams } from '#lib/form-fields.ts'
import { UPLOAD_TIMEOUT_MS } from '#lib/http/upload-timeout.ts'
import { cropImage, limitEncoding, MAX_IMAGE_BYTES, storeImage, type StoreImageResult, type UploadedImage } from './images.server.ts'
import { MAX_VIDEO_BYTES, storeVideo, type LimitedStream } from './videos.server.ts'
import { cropBody } from './forms.ts'

/** Bytes of a multipart form besides its file: names, boundaries. */
const ENVELOPE_BYTES = 16 * 1024
const PERMISSION = ['catalog.write', 'weighins.write'] as const
const LIMIT = { max: 240, timeWindow: '1 minute' }

/** Upload routes. They return ids and URLs, which other forms then send. */
export function uploadsApi({ db, uploads }: { db: Db; uploads: Uploads }): FastifyPluginAsyncZod {
  return async (app) => {
    await app.register(multipart, { limits: { files: 1, fields: 5, parts: 6, fieldSize: 1024, headerPairs: 20 } })

    app.post(
      '/admin/uploads/images',
      {
        config: { permission: PERMISSION, rateLimit: LIMIT, timeoutMs: UPLOAD_TIMEOUT_MS },
        schema: { tags: ['admin'], summary: 'Upload a picture (multipart, one file)', consumes: ['multipart/form-data'] },
      },
      async (request, reply) => {
        const bytes = await readUpload(request, reply, MAX_IMAGE_BYTES, bytesOf)
        if (!bytes) return reply
        return answer(reply, await limitEncoding(() => storeImage(db, uploads, bytes)))
      },
    )

    app.post(
      '/admin/uploads/videos',
      {
        config: { permission: 'catalog.write', rateLimit: LIMIT, timeoutMs: UPLOAD_TIMEOUT_MS },
        schema: { tags: ['admin'], summary: 'Upload a video (multipart, one MP4)', consumes: ['multipart/form-data'] },
      },
      async (request, reply) => {
        const stored = await readUpload(request, reply, MAX_VIDEO_BYTES, ({ file }) => storeVideo(db, uploads, file as LimitedStream))
        if (!stored) return reply
        if (stored.ok) return { url: stored.url }
        return reply.fail(stored.reason === 'too-large' ? 413 : 422, `upload.${stored.reason}`)
      },
    )

    app.post(
      '/admin/uploads/images/:id/crop',
      {
        config: { permission: PERMISSION, rateLimit: LIMIT, timeoutMs: UPLOAD_TIMEOUT_MS },
        schema: { tags: ['admin'], summary: 'Crop a picture into a new one', params: idParams, body: cropBody },
      },
      async ({ params, body }, reply) => {
        const cropped = await limitEncoding(() => cropImage(db, uploads, params.id, body))
        return cropped ? answer(reply, cropped) : reply.fail(404, 'error.not-found')
      },
    )
  }
}

function answer(reply: FastifyReply, stored: StoreImageResult): UploadedImage | ReturnType<FastifyReply['fail']> {
  if (stored.ok) return { image_id: stored.imageId, picture: stored.picture }
  return reply.fail(stored.reason === 'too-large' ? 413 : 422, `upload.${stored.reason}`)
}

/** The result of `read` for the one file of the request, or null after an error response. Name and declared type of the file are ignored. */
async function readUpload<Content>(
  request: FastifyRequest,
  reply: FastifyReply,
  maxBytes: number,
  read: (file: MultipartFile) => Promise<Content | null>,
): Promise<Content | null> {
  const refuse = async (status: number, key: 'upload.none' | 'upload.empty' | 'upload.too-large' | 'upload.broken') => {
    await reply.fail(status, key)
    return null
  }
  if (!request.isMultipart()) return refuse(422, 'upload.none')
  if (Number(request.headers['content-length'] ?? 0) > maxBytes + ENVELOPE_BYTES) return refuse(413, 'upload.too-large')
  let file: MultipartFile | undefined
  try {
    file = await request.file({ limits: { fileSize: maxBytes } })
    if (!file) return refuse(422, 'upload.none')
    return (await read(file)) ?? refuse(422, 'upload.empty')
  } catch (error) {
    if (isTooLarge(error)) return refuse(413, 'upload.too-large')
    // Once the file has arrived, an error is one of storing it.
    if (file?.file.readableEnded || isDatabaseAway(error) || cannotWriteFiles(error) || isBucketAway(error)) throw error
    request.log.info({ err: error }, 'upload rejected')
    return refuse(400, 'upload.broken')
  }
}

async function bytesOf(file: MultipartFile): Promise<Buffer | null> {
  const bytes = await file.toBuffer()
  return bytes.byteLength > 0 ? bytes : null
}

function isTooLarge(error: unknown): boolean {
  return (error as { statusCode?: number }).statusCode === 413
}
