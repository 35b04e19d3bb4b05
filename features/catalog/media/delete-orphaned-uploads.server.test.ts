import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, expect, it, onTestFinished, vi } from 'vitest'
import { openUploads, type Uploads } from '#lib/files/uploads.server.ts'
import { testDb } from '#test/db.ts'
import { buildProduct } from '#test/factories.ts'
import { findDerivedPicture } from './derived-pictures.server.ts'
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

/** Stores a photo and a video; returns the URL of the video. */
async function storeBoth(): Promise<string> {
  const photo = await sharp({ create: { width: 400, height: 300, channels: 3, background: '#a05030' } })
    .jpeg()
    .toBuffer()
  await storeImage(db, uploads, photo)
  const video = Object.assign(Readable.from([await readFile('db/demo/videos/K-101.mp4')]), { truncated: false })
  const stored = await storeVideo(db, uploads, video as LimitedStream)
  return stored.ok ? stored.url : ''
}

it('files of a process that was killed while it deleted them are deleted by the next run', async () => {
  await storeBoth()
  const called = Promise.withResolvers<void>()
  const killed = { ...uploads, deleteOldDrafts: async () => {}, delete: () => (called.resolve(), new Promise<void>(() => {})) }
  void deleteOrphanedUploads(db, killed, tomorrow())
  await called.promise
  expect(await deleteOrphanedUploads(db, uploads, tomorrow())).toBe(2)
  expect(await readdir(folder)).toEqual([])
  expect((await sql`select 1 from deleted_uploads`.execute(db)).rows).toEqual([])
})

it('a link preview that is made while its picture is deleted leaves no file', async () => {
  await storeBoth()
  const { token } = await db.selectFrom('images').select('token').executeTakeFirstOrThrow()
  const write = uploads.write.bind(uploads)
  vi.spyOn(uploads, 'write').mockImplementationOnce(async (name, bytes) => {
    await deleteOrphanedUploads(db, uploads, tomorrow())
    await write(name, bytes)
  })
  expect(await findDerivedPicture(db, uploads, token, 'og')).toBeNull()
  expect(await readdir(folder)).toEqual([])
})

it('a video that a product begins to show during its deletion stays, or the product is refused', async () => {
  const url = await storeBoth()
  const product = await buildProduct(db)
  // Holds the deletion after its snapshot.
  await sql`create function wait_a_second() returns trigger language plpgsql as 'begin perform pg_sleep(1); return null; end'`.execute(db)
  await sql`create trigger wait_a_second before delete on videos execute function wait_a_second()`.execute(db)
  onTestFinished(async () => void (await sql`drop function wait_a_second cascade`.execute(db)))
  const deletion = deleteOrphanedUploads(db, uploads, tomorrow())
  await new Promise((resolve) => setTimeout(resolve, 500))
  const shown = await db.transaction().execute(async (tx) => {
    const { rows } = await sql`select 1 from videos where '/uploads/' || token || '.mp4' = ${url} for key share`.execute(tx)
    if (rows.length === 0) return false
    await sql`insert into product_media (product_id, position, kind, video_url) values (${product.id}, 0, 'video', ${url})`.execute(tx)
    return true
  })
  await deletion
  expect((await readdir(folder)).includes(url.replace('/uploads/', ''))).toBe(shown)
})
