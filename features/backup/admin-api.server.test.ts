import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { signedIn } from '#features/orders/testing/admin-shop.ts'
import { testDb } from '#test/db.ts'
import { openShop } from '#test/request.ts'

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const { backupTo } = shop.deps.env
await mkdir(backupTo, { recursive: true })
const BYTES = 'x'.repeat(3_000_000)
await writeFile(path.join(backupTo, 'one.khamar-backup'), BYTES)
const done = { started_by: 'schedule' as const, state: 'done' as const, size_bytes: 5, checksum: 'ab'.repeat(32), sums: '{}' }
const at = { started_at: new Date(), finished_at: new Date() }
await db
  .insertInto('backup_runs')
  .values([
    { ...done, ...at, target: backupTo, file_name: 'one.khamar-backup' },
    { ...done, ...at, target: '/etc', file_name: 'passwd' },
    { ...done, ...at, target: backupTo, file_name: 'gone.khamar-backup' },
    { ...done, ...at, target: backupTo, file_name: 'one.khamar-backup', deleted_at: new Date() },
    { started_at: new Date(), started_by: 'command', target: backupTo, file_name: 'one.khamar-backup' },
  ])
  .execute()

it('an owner downloads a backup, and the audit log names it; a manager does not', async () => {
  const owner = await signedIn(shop, 'owner')
  const file = await owner.get('/api/admin/backups/1/file')
  expect([file.status, file.text.length, file.headers['content-disposition']]).toEqual([
    200,
    BYTES.length,
    'attachment; filename="one.khamar-backup"',
  ])
  for (const id of [2, 3, 4, 5, 99]) expect([id, (await owner.get(`/api/admin/backups/${id}/file`)).status]).toEqual([id, 404])
  // Only what can be downloaded has a button: a copy on another disk, of a command, has none, nor has a file that was deleted by hand.
  const list = (await owner.get('/admin/backups', { accept: 'text/html' })).text
  expect([...list.matchAll(/href="\/api\/admin\/backups\/(\d+)\/file"/g)].map(([, id]) => id).toSorted()).toEqual(['1'])
  expect(list.match(/File missing/g)).toHaveLength(1)
  const { rows } = await sql`select action, subject_id from audit_log where subject = 'backup'`.execute(db)
  expect(rows).toEqual([{ action: 'exported', subject_id: '1' }])
  const manager = await signedIn(shop, 'manager')
  expect((await manager.get('/api/admin/backups/1/file')).status).toBe(403)
  expect((await manager.post('/admin/backups', {})).status).toBe(403)
  const page = (await manager.get('/admin/backups', { accept: 'text/html' })).text
  expect(page).toContain('one.khamar-backup')
  expect(page).toContain('only its checksums were compared')
  // The embedded database needs no right.
  Object.assign(shop.deps.env, { databaseUrl: null })
  const embedded = (await manager.get('/admin/backups', { accept: 'text/html' })).text
  expect([page, embedded].map((text) => [text.includes('CREATEDB'), text.includes('make room')])).toEqual([
    [true, true],
    [false, true],
  ])
  await sql`update backup_runs set verified_at = finished_at where state = 'done'`.execute(db)
  expect((await manager.get('/admin/backups', { accept: 'text/html' })).text).not.toContain('only its checksums were compared')
})

it('the dashboard warns owners and managers of a backup older than 26 hours', async () => {
  const late = async (role: 'manager' | 'sales') =>
    (await (await signedIn(shop, role)).get('/admin', { accept: 'text/html' })).text.includes('more than 26 hours old')
  await sql`update backup_runs set started_at = ${new Date(shop.clock.now.getTime() - 25 * 3_600_000)} where state = 'done'`.execute(db)
  expect([await late('manager'), await late('sales')]).toEqual([false, false])
  await sql`update backup_runs set started_at = ${new Date(shop.clock.now.getTime() - 27 * 3_600_000)} where state = 'done'`.execute(db)
  // Reads of the dashboard are shared for two seconds.
  await sleep(2_100)
  expect([await late('manager'), await late('sales')]).toEqual([true, false])
})
