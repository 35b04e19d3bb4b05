import path from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { openBucket } from '#lib/files/bucket.server.ts'
import { cannotWriteFiles } from '#lib/files/disk-full.server.ts'
import { contentTypeOf, isFileName, type Uploads, type UploadsPlace } from '#lib/files/uploads.server.ts'

/** A changed public URL must reach visitors within a day. */
const REDIRECT_CACHE = 'public, max-age=86400'
const UPLOAD_CACHE = 'public, max-age=31536000, immutable'
const DEFAULT_LOGO = 'logo.png'

interface Options {
  uploads: Uploads
  place: NonNullable<UploadsPlace['bucket']>
  /** Redirects browsers to this URL, except for the logo. */
  publicUrl: string | null
  publicDir: string
}

/**
 * Serves `/uploads/` of a bucket from a cache on this disk, with the ranges and tags of the file server: the bucket stays private, and its
 * traffic is one read of a file a process. Needs the decorated `reply.sendFile` of @fastify/static.
 */
export function registerBucketUploads(files: FastifyInstance, { uploads, place, publicUrl, publicDir }: Options): void {
  const bucket = openBucket(place.settings, place.url)
  files.addHook('onClose', async () => bucket.close())

  files.get('/uploads/:name', { schema: { hide: true } }, async (request: FastifyRequest<{ Params: { name: string } }>, reply) => {
    const { name } = request.params
    if (!isFileName(name)) return reply.callNotFound()
    // A new bucket has no logo.
    if (publicUrl && name !== DEFAULT_LOGO) return reply.header('cache-control', REDIRECT_CACHE).redirect(`${publicUrl}/${name}`, 302)
    try {
      const file = await uploads.load(name)
      if (file) return reply.sendFile(name, path.dirname(file), { maxAge: '365d', immutable: true })
    } catch (error) {
      if (!cannotWriteFiles(error)) throw error
      return sendUncached(name, reply)
    }
    return name === DEFAULT_LOGO ? reply.sendFile(name, publicDir, { maxAge: '1d' }) : reply.callNotFound()
  })

  /** With a full disk, visitors still see pictures. */
  async function sendUncached(name: string, reply: FastifyReply) {
    const object = await bucket.get(name)
    if (!object) return reply.callNotFound()
    reply.headers({ 'cache-control': UPLOAD_CACHE, 'content-length': object.bytes, 'content-type': contentTypeOf(name) })
    return reply.send(object.body)
  }
}
