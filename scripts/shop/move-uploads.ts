import { existsSync } from 'node:fs'
import path from 'node:path'
import { openUploads, uploadsFolder, type Uploads, type UploadsPlace } from '#lib/files/uploads.server.ts'
import { plural } from '#lib/format/plural.ts'
import { readCommandEnv } from '#lib/runtime/env.server.ts'
import { SettingsError } from '#lib/runtime/settings-error.ts'
import { readArguments } from './arguments.ts'

interface Moved {
  copied: number
  present: number
  bytes: number
}

/** Copies every file of the folder that the bucket has not, or has with another size. */
async function copyMissing(from: UploadsPlace, bucket: Uploads): Promise<Moved> {
  const stored = new Map<string, number>()
  for await (const { name, bytes } of bucket.list()) stored.set(name, bytes)
  const moved: Moved = { copied: 0, present: 0, bytes: 0 }
  for await (const { name, bytes } of openUploads(from).list()) {
    if (stored.get(name) === bytes) {
      moved.present += 1
      continue
    }
    await bucket.copy(path.join(from.folder, name), name)
    moved.copied += 1
    moved.bytes += bytes
  }
  return moved
}

export async function moveUploads(args: string[]): Promise<number> {
  readArguments('move-uploads', args, {})
  const env = readCommandEnv()
  if (!env.uploads.bucket) throw new SettingsError('UPLOADS=s3://bucket/prefix names no bucket: set it for this command.')
  const from = uploadsFolder(env.dataDir)
  const { folder } = from
  if (!existsSync(folder)) throw new SettingsError(`There is no folder ${folder}: set DATA_DIR as for the shop.`)
  const { copied, present, bytes } = await copyMissing(from, openUploads(env.uploads))
  console.log(
    `Copied ${plural(String(copied), 'file')} (${(bytes / 1e6).toFixed(1)} MB); ${present} were in the bucket. ${folder} is unchanged.`,
  )
  return 0
}
