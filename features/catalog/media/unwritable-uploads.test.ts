import { chmodSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterEach, expect, it, onTestFinished } from 'vitest'
import { testDb } from '#test/db.ts'
import { buildUser } from '#test/factories.ts'
import { postFiles } from '#test/multipart.ts'
import { openShop } from '#test/request.ts'
import type { UploadedImage } from './images.server.ts'

// An upload folder without write permission. Root ignores permissions, so the process becomes another user for the call.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const clerk = shop.visitor()
await clerk.signIn((await buildUser(db, { role: 'manager' })).phone)
const folder = path.join(shop.deps.env.dataDir, 'uploads')
mkdirSync(folder, { recursive: true })
const isRoot = process.geteuid?.() === 0

function lock(): void {
  chmodSync(folder, 0o555)
  chmodSync(shop.deps.env.dataDir, 0o755)
  if (isRoot) process.seteuid?.(65_534)
}
function unlock(): void {
  if (isRoot) process.seteuid?.(0)
  chmodSync(folder, 0o755)
}
afterEach(unlock)

const jpeg = await sharp({ create: { width: 400, height: 300, channels: 3, background: '#a05030' } })
  .jpeg()
  .toBuffer()
const video = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypisom0000isommp42'), Buffer.alloc(1000)])
// Loads the libraries while their files are readable.
const first = (await postFiles(clerk, '/admin/uploads/images', [{ bytes: jpeg }])).body as unknown as UploadedImage
const crop = (id: number) => clerk.post(`/admin/uploads/images/${id}/crop`, { x: 0, y: 0, width: 0.5, height: 0.5 })

it.each([
  ['a picture', () => postFiles(clerk, '/admin/uploads/images', [{ bytes: jpeg }])],
  ['a video', () => postFiles(clerk, '/admin/uploads/videos', [{ bytes: video, name: 'a.mp4', type: 'video/mp4' }])],
  ['a part of a picture', () => crop(first.image_id)],
])('%s is rejected with 503 and a message, and leaves no files', async (_what, send) => {
  await clerk.token()
  const before = readdirSync(folder)
  shop.failures.length = 0
  lock()
  const response = await send()
  unlock()
  expect([response.status, response.body.message, response.headers['retry-after']]).toEqual([
    503,
    expect.stringMatching(/^The shop cannot write to its disk\. Nothing was saved/),
    '60',
  ])
  expect(shop.failures).toEqual([expect.stringContaining('the disk cannot be written to')])
  expect(readdirSync(folder)).toEqual(before)
})

it('works again when the folder is writable', async () => {
  expect((await crop(first.image_id)).status).toBe(200)
})

it.each([
  ['P0001', 500, 1],
  ['55P03', 503, 0],
])('an error %s of the database while a video is stored is answered %i, and leaves no files', async (code, status, failures) => {
  await sql`create function fail() returns trigger language plpgsql as ${sql.raw(`$$ begin raise 'failed' using errcode = '${code}'; end $$`)}`.execute(
    db,
  )
  await sql`create trigger fail before insert on videos execute function fail()`.execute(db)
  onTestFinished(async () => void (await sql`drop function fail cascade`.execute(db)))
  const before = readdirSync(folder)
  shop.failures.length = 0
  const bytes = readFileSync('db/demo/videos/K-101.mp4')
  const response = await postFiles(clerk, '/admin/uploads/videos', [{ bytes, name: 'a.mp4', type: 'video/mp4' }])
  expect([response.status, shop.failures.length, readdirSync(folder)]).toEqual([status, failures, before])
})
