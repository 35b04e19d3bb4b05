// Where uploaded pictures and videos are stored: in a folder, or in an S3-compatible bucket.
import { createReadStream } from 'node:fs'
import { copyFile, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { type Bucket, type BucketUrl, openBucket, type S3Settings } from './bucket.server.ts'
import { cannotWriteFiles } from './disk-full.server.ts'
import { DRAFT_ENDING, UploadCache } from './upload-cache.server.ts'
import { flush } from './flush.server.ts'

/** Plain data, so that it can be sent to a child process. */
export interface UploadsPlace {
  /** Absolute path: holds the files, or what a bucket needs on this machine. */
  folder: string
  /** Null: the files are in the folder. */
  bucket: { url: BucketUrl; settings: S3Settings } | null
}

/** Names have no folders. A file is complete or absent, and never changes. */
export interface Uploads {
  write(name: string, bytes: Uint8Array): Promise<void>
  /** Moves a complete file from `draft()`. */
  move(draft: string, name: string): Promise<void>
  /** Copies a file of this machine. */
  copy(file: string, name: string): Promise<void>
  /** The bytes of a file; null when there is none. */
  find(name: string): Promise<Buffer | null>
  /** Path of a file on this machine, loaded from the bucket if need be; null when there is none. Throws the error of a full disk. */
  load(name: string): Promise<string | null>
  /** Deletes a file. One that does not exist is no error. */
  delete(name: string): Promise<void>
  /** Path of a file in progress on this machine, whose folder exists. The caller deletes it. */
  draft(name: string): Promise<string>
  /** Deletes files in progress of this machine that were last changed before: a killed process left them. */
  deleteOldDrafts(before: Date): Promise<void>
  list(): AsyncGenerator<{ name: string; bytes: number }>
}

const FILE_NAME = /^[\w-][\w.-]{0,120}$/
const CACHE_CONTROL = 'public, max-age=31536000, immutable'
const CONTENT_TYPES: Record<string, string> = {
  '.avif': 'image/avif',
  '.webp': 'image/webp',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.mp4': 'video/mp4',
}

/** The folder of uploads in a data folder. */
export function uploadsFolder(dataDir: string): UploadsPlace {
  return { folder: path.join(dataDir, 'uploads'), bucket: null }
}

/** Opens the uploads. A bucket is not asked before its first use. */
export function openUploads({ folder, bucket }: UploadsPlace): Uploads {
  return bucket ? new BucketUploads(openBucket(bucket.settings, bucket.url), folder) : new FolderUploads(folder)
}

/** Whether a complete file can have the name. */
export const isFileName = (name: string): boolean => FILE_NAME.test(name) && !name.endsWith(DRAFT_ENDING)

/** The content type of an upload by its extension. */
export function contentTypeOf(name: string): string {
  return CONTENT_TYPES[path.extname(name)] ?? 'application/octet-stream'
}

/** The bytes of a file for visitors: of a bucket, from the copy on this machine. With a full disk, from the bucket. Null when there is none. */
export async function readUpload(uploads: Uploads, name: string): Promise<Buffer | null> {
  try {
    const file = await uploads.load(name)
    return file === null ? null : await orNone(readFile(file))
  } catch (error) {
    if (!cannotWriteFiles(error)) throw error
    return uploads.find(name)
  }
}

/** What a call of the file system answers; null when there is no such file or folder. */
async function orNone<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

async function deleteOldDrafts(folder: string, before: Date): Promise<void> {
  for (const name of (await orNone(readdir(folder))) ?? []) {
    const file = path.join(folder, name)
    if (name.endsWith(DRAFT_ENDING) && ((await orNone(stat(file)))?.ctime ?? before) < before) await rm(file, { force: true })
  }
}

class FolderUploads implements Uploads {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Writes a temporary file and renames it, so that incomplete files are never served. */
  async write(name: string, bytes: Uint8Array): Promise<void> {
    await this.#complete(name, (draft) => writeFile(draft, bytes))
  }

  /** The row that names the file is stored on the disk when it is committed: the file must be there, too. */
  async move(draft: string, name: string): Promise<void> {
    await flush(draft)
    await rename(draft, this.#path(name))
    await flush(this.#folder)
  }

  async copy(file: string, name: string): Promise<void> {
    await this.#complete(name, (draft) => copyFile(file, draft))
  }

  find(name: string): Promise<Buffer | null> {
    return orNone(readFile(this.#path(name)))
  }

  async load(name: string): Promise<string | null> {
    const file = this.#path(name)
    return (await orNone(stat(file))) === null ? null : file
  }

  async delete(name: string): Promise<void> {
    await rm(this.#path(name), { force: true })
  }

  async draft(name: string): Promise<string> {
    await mkdir(this.#folder, { recursive: true })
    return this.#path(name) + DRAFT_ENDING
  }

  deleteOldDrafts(before: Date): Promise<void> {
    return deleteOldDrafts(this.#folder, before)
  }

  async *list(): AsyncGenerator<{ name: string; bytes: number }> {
    for (const name of (await orNone(readdir(this.#folder))) ?? []) {
      if (name.endsWith(DRAFT_ENDING)) continue
      const file = await orNone(stat(this.#path(name)))
      if (file?.isFile()) yield { name, bytes: file.size }
    }
  }

  async #complete(name: string, write: (draft: string) => Promise<unknown>): Promise<void> {
    const draft = await this.draft(name)
    try {
      await write(draft)
      await this.move(draft, name)
    } catch (error) {
      await rm(draft, { force: true })
      throw error
    }
  }

  #path(name: string): string {
    return path.join(this.#folder, name)
  }
}

class BucketUploads implements Uploads {
  readonly #bucket: Bucket
  readonly #folder: string
  /** Opened at its first use: it reads the names of its files. */
  #cache: UploadCache | null = null

  constructor(bucket: Bucket, folder: string) {
    this.#bucket = bucket
    this.#folder = folder
  }

  async write(name: string, bytes: Uint8Array): Promise<void> {
    await this.#bucket.put(name, bytes, { contentType: contentTypeOf(name), cacheControl: CACHE_CONTROL })
  }

  async move(draft: string, name: string): Promise<void> {
    await this.copy(draft, name)
    await rm(draft, { force: true })
  }

  async copy(file: string, name: string): Promise<void> {
    await this.#bucket.put(name, createReadStream(file), { contentType: contentTypeOf(name), cacheControl: CACHE_CONTROL })
  }

  async find(name: string): Promise<Buffer | null> {
    const object = await this.#bucket.get(name)
    return object ? buffer(object.body) : null
  }

  load(name: string): Promise<string | null> {
    this.#cache ??= new UploadCache(this.#bucket, this.#folder)
    return this.#cache.find(name)
  }

  /** Also the copy of this machine, from which it would still be served. */
  async delete(name: string): Promise<void> {
    await this.#bucket.delete(name)
    await rm(path.join(this.#folder, name), { force: true })
  }

  async draft(name: string): Promise<string> {
    await mkdir(this.#folder, { recursive: true })
    return path.join(this.#folder, name + DRAFT_ENDING)
  }

  deleteOldDrafts(before: Date): Promise<void> {
    return deleteOldDrafts(this.#folder, before)
  }

  async *list(): AsyncGenerator<{ name: string; bytes: number }> {
    for await (const { key, bytes } of this.#bucket.list()) yield { name: key, bytes }
  }
}
