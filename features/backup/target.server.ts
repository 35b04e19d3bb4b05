import { createReadStream, createWriteStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Bucket, openBucket, parseBucketUrl } from '#lib/files/bucket.server.ts'
import { flush } from '#lib/files/flush.server.ts'
import { makeFolder } from '#lib/files/folders.server.ts'
import type { Env } from '#lib/runtime/env.server.ts'

/** Where backups are stored. A file is written as a draft and stored whole, so a killed backup leaves no half file. */
export interface BackupTarget {
  /** The folder, or s3://bucket/prefix; for people and for `backup_runs`. */
  name: string
  /** The folder in which drafts are written; it may not exist yet. */
  draftFolder: string
  /** Stores a complete draft under a name, and removes the draft. */
  store(draft: string, name: string): Promise<void>
  /** The file, or null when it is not there. */
  read(name: string): Promise<Readable | null>
  delete(name: string): Promise<void>
  close(): void
}

/** Opens the target of `BACKUP_TO`. */
export function openTarget({ backupTo, dataDir, s3 }: Pick<Env, 'backupTo' | 'dataDir' | 's3'>): BackupTarget {
  const url = parseBucketUrl(backupTo)
  if (url && s3) return bucketTarget(backupTo, openBucket(s3, url), draftFolderOf(backupTo, dataDir))
  return folderTarget(backupTo)
}

/** The folder of the drafts of a target; a bucket gets them from `DATA_DIR/backups`. */
export function draftFolderOf(target: string, dataDir: string): string {
  return path.isAbsolute(target) ? target : path.join(dataDir, 'backups')
}

function folderTarget(folder: string): BackupTarget {
  const fileOf = (name: string) => path.join(folder, path.basename(name))
  return {
    name: folder,
    draftFolder: folder,
    async store(draft, name) {
      await rename(draft, fileOf(name))
      await flush(folder)
    },
    async read(name) {
      const handle = await open(fileOf(name), 'r').catch(() => null)
      return handle?.createReadStream() ?? null
    },
    delete: (name) => rm(fileOf(name), { force: true }),
    close() {},
  }
}

function bucketTarget(name: string, bucket: Bucket, draftFolder: string): BackupTarget {
  return {
    name,
    draftFolder,
    async store(draft, key) {
      await bucket.put(key, createReadStream(draft))
      await rm(draft)
    },
    read: async (key) => (await bucket.get(key))?.body ?? null,
    delete: (key) => bucket.delete(key),
    close: () => bucket.close(),
  }
}

/** Copies a stored backup into a local file. */
export async function fetchBackup(target: BackupTarget, name: string, file: string): Promise<boolean> {
  const body = await target.read(name)
  if (!body) return false
  makeFolder(path.dirname(file))
  await pipeline(body, createWriteStream(file, { flags: 'wx', mode: 0o600 }))
  return true
}
