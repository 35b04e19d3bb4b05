import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, expect, it } from 'vitest'
import { openUploads, type Uploads } from '#lib/files/uploads.server.ts'
import { testDb } from '#test/db.ts'
import { deleteOrphanedUploads } from './delete-orphaned-uploads.server.ts'
import { storeImage } from './images.server.ts'
import { type LimitedStream, storeVideo } from './videos.server.ts'

const { db } = await testDb()
const folder = await mkdtemp(path.join(tmpdir(), 'khamar-orphans-'))
const uploads = openUploads({ folder, bucket: null })
afterAll(() => rm(folder, { recursive: true }))
const tomorrow = () => new Date(Date.now() + 90_000_000)

it('one run deletes more pictures than a buyer can replace in an hour', async () => {
  await sql`insert into images (token, width, height, widths, placeholder, created_at)
    select md5(n::text), 160, 120, '{160}', 'linear-gradient(#000,#000,#000,#000)', now() - interval '2 days'
    from generate_series(1, 150) n`.execute(db)
  const deleted = new Set<string>()
  const counting = { delete: async (name: string) => void deleted.add(name.slice(0, 32)), deleteOldDrafts: async () => {} }
  expect(await deleteOrphanedUploads(db, counting as unknown as Uploads, new Date())).toBe(150)
  expect(deleted.size).toBe(150)
})

/** Uploads of a process that ends after so many files are written: it can neither write nor delete any more. */
function dyingAfter(files: number): Uploads {
  let left = files
  const dies = () => Promise.reject(new Error('killed'))
  const or = (call: () => Promise<void>) => ((left -= 1) < 0 ? dies() : call())
  return {
    ...uploads,
    draft: (name) => uploads.draft(name),
    write: (name, bytes) => or(() => uploads.write(name, bytes)),
    move: (draft, name) => uploads.move(draft, name).then(dies),
    delete: dies,
  }
}

it('files of a process that was killed during an upload are found', async () => {
  const photo = await sharp({ create: { width: 400, height: 300, channels: 3, background: '#a05030' } })
    .jpeg()
    .toBuffer()
  await expect(storeImage(db, dyingAfter(3), photo)).rejects.toThrow('killed')
  const video = Object.assign(Readable.from([await readFile('db/demo/videos/K-101.mp4')]), { truncated: false })
  await expect(storeVideo(db, dyingAfter(0), video as LimitedStream)).rejects.toThrow('killed')
  expect(await readdir(folder)).toHaveLength(4)
  expect(await deleteOrphanedUploads(db, uploads, tomorrow())).toBe(2)
  expect(await readdir(folder)).toEqual([])
})
