import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isFileName, type Uploads, type UploadsPlace } from '#lib/files/uploads.server.ts'
import { registerBucketUploads } from './uploads.ts'

const IMMUTABLE = { maxAge: '365d', immutable: true, index: false as const, cacheControl: true }

type NamedFile = FastifyRequest<{ Params: { name: string } }>

interface StaticFiles {
  publicDir: string
  uploads: Uploads
  place: UploadsPlace
  uploadsPublicUrl: string | null
}

/** Serves the build's assets, uploaded images, and files with fixed names (icons, manifest). */
export async function registerStaticFiles(
  app: FastifyInstance,
  { publicDir, uploads, place, uploadsPublicUrl }: StaticFiles,
): Promise<void> {
  await app.register(async (files) => {
    files.addHook('onRoute', (route) => {
      route.config = { ...route.config, static: true }
    })
    await files.register(async (assets) =>
      serveFolder(assets, { root: join(publicDir, 'assets'), prefix: '/assets/', preCompressed: true }),
    )
    const { folder, bucket } = place
    await files.register(async (pictures) => {
      if (!bucket) return serveFolder(pictures, { root: folder, prefix: '/uploads/' })
      await pictures.register(fastifyStatic, { root: publicDir, serve: false, ...IMMUTABLE })
      registerBucketUploads(pictures, { uploads, place: bucket, publicUrl: uploadsPublicUrl, publicDir })
    })
    await files.register(fastifyStatic, {
      root: publicDir,
      prefix: '/',
      decorateReply: false,
      wildcard: false,
      maxAge: '1d',
      index: false,
      globIgnore: ['assets/**', '.vite/**'],
    })
  })
}

/** Routes of @fastify/static read the whole folder for each file; `reply.sendFile` opens the file only. */
async function serveFolder(
  app: FastifyInstance,
  { prefix, ...options }: { root: string; prefix: string; preCompressed?: boolean },
): Promise<void> {
  await app.register(fastifyStatic, { ...options, serve: false, ...IMMUTABLE })
  app.get(`${prefix}:name`, { schema: { hide: true } }, ({ params: { name } }: NamedFile, reply) =>
    isFileName(name) ? reply.sendFile(name) : reply.callNotFound(),
  )
}
