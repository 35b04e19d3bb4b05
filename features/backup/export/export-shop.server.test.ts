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
  expect(texts.join('\n')).not.toMatch(/\$argon2|password_hash|view_key|stop_token|\bsecret\b/)
  expect(await readdir(path.join(folder, 'uploads'))).toEqual(['cow.webp'])
})

it('writes the texts of messages without the keys of their links and without codes', async () => {
  const link = 'https://shop.example/invoice/1001?key=KEY-of_1001'
  const text = `Order 1001 received. View: ${link}`
  await sql`insert into sms_outbox (purpose, template, phone, body) values ('order', 'order-placed', '01711000099', ${text}),
    ('order', 'product-free-1', '01711000099', 'Mangoes! No more: https://shop.example/stop/KEYstop1'),
    ('code', 'code', '01711000099', 'Your code: 481516')`.execute(db)
  await sql`insert into order_events (order_id, actor, kind, detail) values (1001, 'system', 'sms-skipped', ${JSON.stringify({ text })}::jsonb)`.execute(
    db,
  )
  await sql`insert into audit_log (actor_id, action, subject, subject_id, before, after, ip)
    select id, 'sent', 'sms', '1', ${JSON.stringify({ text })}::jsonb, ${JSON.stringify({ text })}::jsonb, '127.0.0.1' from users limit 1`.execute(
    db,
  )
  const folder = path.join(dataDir, 'messages')
  const client = await pool.connect()
  await exportShop(client, { folder, uploads: openUploads(uploadsFolder(dataDir)) })
  client.release()
  const read = (name: string) => readFile(path.join(folder, `${name}.csv`), 'utf8')
  const names = (await readdir(folder)).filter((name) => name.endsWith('.csv'))
  const all = (await Promise.all(names.map((name) => readFile(path.join(folder, name), 'utf8')))).join('\n')
  expect(all.match(/KEY-of_1001|KEYstop1|481516/g)).toBeNull()
  const hidden = 'Order 1001 received. View: https://shop.example/invoice/1001?key=•••'
  for (const table of ['sms_outbox', 'order_events', 'audit_log'])
    expect([table, await read(table)]).toEqual([table, expect.stringContaining(hidden)])
  expect(await read('sms_outbox')).toContain('https://shop.example/stop/•••')
})
