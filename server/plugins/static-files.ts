import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import type { UploadsPlace } from '#lib/files/uploads.server.ts'
import { registerBucketUploads } from './uploads.ts'

const IMMUTABLE = { maxAge: '365d', immutable: true, index: false as const, cacheControl: true }

/** Serves the build's assets, uploaded images, and files with fixed names (icons, manifest). */
export async function registerStaticFiles(
  app: FastifyInstance,
  { publicDir, uploads, uploadsPublicUrl }: { publicDir: string; uploads: UploadsPlace; uploadsPublicUrl: string | null },
): Promise<void> {
  await app.register(async (files) => {
    files.addHook('onRoute', (route) => {
      route.config = { ...route.config, static: true }
    })
    await files.register(fastifyStatic, {
      root: join(publicDir, 'assets'),
      prefix: '/assets/',
      decorateReply: true,
      preCompressed: true,
      ...IMMUTABLE,
    })
    const { folder, bucket } = uploads
    if (bucket) registerBucketUploads(files, { place: { folder, bucket }, publicUrl: uploadsPublicUrl, publicDir })
    else await files.register(fastifyStatic, { root: folder, prefix: '/uploads/', decorateReply: false, ...IMMUTABLE })
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
