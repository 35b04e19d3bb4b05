import { sql } from 'kysely'
import { expect, it } from 'vitest'
import type { Uploads } from '#lib/files/uploads.server.ts'
import { testDb } from '#test/db.ts'
import { deleteOrphanedUploads } from './delete-orphaned-uploads.server.ts'

const { db } = await testDb()

it('one run deletes more pictures than a buyer can replace in an hour', async () => {
  await sql`insert into images (token, width, height, widths, placeholder, created_at)
    select md5(n::text), 160, 120, '{160}', 'linear-gradient(#000,#000,#000,#000)', now() - interval '2 days'
    from generate_series(1, 150) n`.execute(db)
  const deleted = new Set<string>()
  const uploads = { delete: async (name: string) => void deleted.add(name.slice(0, 32)), deleteOldDrafts: async () => {} }
  expect(await deleteOrphanedUploads(db, uploads as unknown as Uploads, new Date())).toBe(150)
  expect(deleted.size).toBe(150)
})
