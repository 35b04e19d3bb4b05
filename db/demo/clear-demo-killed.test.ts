import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { deleteOrphanedUploads } from '#features/catalog/media/delete-orphaned-uploads.server.ts'
import type { Picture } from '#features/catalog/types.ts'
import { openUploads, type Uploads, type UploadsPlace, uploadsFolder } from '#lib/files/uploads.server.ts'
import { testDb } from '#test/db.ts'
import { clearDemo } from './clear-demo.ts'
import { seedDemo } from './seed-demo.ts'

const { db } = await testDb()

/** One-byte files in place of pictures. */
async function store({ pictures, uploads }: { pictures: [string, Picture][]; uploads: UploadsPlace }): Promise<void> {
  for (const [, { token, widths }] of pictures)
    for (const width of widths)
      for (const format of ['avif', 'webp']) await writeFile(path.join(uploads.folder, `${token}-${width}.${format}`), 'x')
}

it('the shop deletes the files that remain when the command is killed while it deletes files', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'khamar-clear-demo-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const place = uploadsFolder(folder)
  await mkdir(place.folder)
  const now = new Date()
  await seedDemo(db, { uploads: place, now, store })
  const uploads = openUploads(place)
  let deleted = 0
  const killed: Uploads = Object.assign(Object.create(uploads) as Uploads, {
    delete: async (name: string) => {
      if (++deleted > 100 || name.endsWith('.mp4')) throw new Error('killed')
      return uploads.delete(name)
    },
  })
  await expect(clearDemo(db, { uploads: killed, now, allOrders: false })).rejects.toThrow('killed')
  const files = async () => (await readdir(place.folder)).filter((name) => /\.(avif|webp|mp4)$/.test(name)).length
  expect(await files()).toBeGreaterThan(50)
  expect(await clearDemo(db, { uploads, now, allOrders: false })).toBeNull()
  while ((await deleteOrphanedUploads(db, uploads, now)) > 0);
  expect(await files()).toBe(0)
})
