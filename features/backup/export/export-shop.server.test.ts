import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { seedDemo } from '#db/demo/seed-demo.ts'
import { openUploads, uploadsFolder } from '#lib/files/uploads.server.ts'
import { testDb } from '#test/db.ts'
import { exportShop } from './export-shop.server.ts'

const { db, pool } = await testDb()
const dataDir = await mkdtemp(path.join(tmpdir(), 'khamar-export-'))
afterAll(() => rm(dataDir, { recursive: true }))

it('writes every row and upload, and no secret', async () => {
  await seedDemo(db, { uploads: uploadsFolder(dataDir), now: new Date(), store: async () => {}, videos: false })
  await mkdir(path.join(dataDir, 'uploads'), { recursive: true })
  await writeFile(path.join(dataDir, 'uploads', 'cow.webp'), 'a cow')
  await writeFile(path.join(dataDir, 'uploads', 'half.webp.part'), 'half')
  await sql`update orders set note = 'বাড়ির "সামনে", line one' || chr(10) || 'line two' where id = 1001`.execute(db)
  const folder = path.join(dataDir, 'out')
  const client = await pool.connect()
  const { tables, files } = await exportShop(client, { folder, uploads: openUploads(uploadsFolder(dataDir)) })
  client.release()
  const names = await readdir(folder)
  expect([names.filter((name) => name.endsWith('.csv')).length, files]).toEqual([tables, 1])
  expect(names).toEqual(expect.arrayContaining(['orders.csv', 'ledger_entries.csv', 'users.csv', 'uploads']))
  expect(names).not.toEqual(expect.arrayContaining(['sessions.csv']))
  const orders = parse(await readFile(path.join(folder, 'orders.csv')), { columns: true }) as Record<string, string>[]
  const { rows } = await sql<{
    n: number
    total: number
  }>`select count(*)::int as n, sum(total_poisha)::bigint as total from orders`.execute(db)
  expect([orders.length, orders.reduce((sum, order) => sum + Number(order.total_poisha), 0)]).toEqual([rows[0]!.n, rows[0]!.total])
  expect(orders.find(({ id }) => id === '1001')?.note).toBe('বাড়ির "সামনে", line one\nline two')
  const texts = await Promise.all(names.filter((name) => name.endsWith('.csv')).map((name) => readFile(path.join(folder, name), 'utf8')))
  expect(texts.join('\n')).not.toMatch(/\$argon2|password_hash|view_key|\bsecret\b/)
  expect(await readdir(path.join(folder, 'uploads'))).toEqual(['cow.webp'])
})
