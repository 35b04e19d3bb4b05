import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { readSettings } from '#features/settings/settings.server.ts'
import { DEFAULT_SETTINGS, type Settings } from '#features/settings/settings.ts'
import { addDays, dhakaDate } from '#lib/format/time.ts'
import { openUploads, uploadsFolder } from '#lib/files/uploads.server.ts'
import { testDb } from '#test/db.ts'
import { buildAnimal } from '#test/factories.ts'
import { clearDemo } from './clear-demo.ts'
import { KURBANI_SEASON } from './categories.ts'
import { seedDemo } from './seed-demo.ts'

const { db, reset } = await testDb()
const folder = await mkdtemp(path.join(tmpdir(), 'khamar-earlier-demo-'))
const place = uploadsFolder(folder)
await mkdir(place.folder)
afterAll(() => rm(folder, { recursive: true }))

const now = new Date()
const today = dhakaDate(now)
const clear = () => clearDemo(db, { uploads: openUploads(place), now, allOrders: false })

beforeEach(async () => {
  await reset()
  await seedDemo(db, { uploads: place, now, store: async () => {} })
})

it('the season and the announcement of a demo of 0.1.0 go with it', async () => {
  const kurbani = {
    season: KURBANI_SEASON,
    weighedFrom: addDays(today, -8),
    weighedTo: addDays(today, -1),
    deliveryFrom: addDays(today, 20),
    deliveryTo: addDays(today, 24),
  }
  const announcement = {
    en: 'Kurbani cows are weighed and tagged: book yours with 10,000 taka.',
    bn: 'কোরবানির গরুর ওজন নেওয়া ও ট্যাগ লাগানো হয়েছে: ১০,০০০ টাকায় বুকিং দিন।',
  }
  await store({ kurbani, announcement })
  await clear()
  expect(await readSettings(db)).toMatchObject({ kurbani: DEFAULT_SETTINGS.kurbani, announcement: { en: '', bn: '' } })
})

it('a season of the owner stays', async () => {
  const kurbani = { ...DEFAULT_SETTINGS.kurbani, deliveryFrom: addDays(today, 19), deliveryTo: addDays(today, 23) }
  await store({ kurbani })
  await clear()
  expect((await readSettings(db)).kurbani).toMatchObject({ deliveryFrom: kurbani.deliveryFrom, deliveryTo: kurbani.deliveryTo })
})

it('a video that an own product shows stays', async () => {
  const own = await buildAnimal(db, { category_id: 4, tag_number: 'OWN-1' })
  await sql`insert into product_media (product_id, position, kind, video_url) values (${own.id}, 0, 'video', '/uploads/k-101.mp4')`.execute(
    db,
  )
  await clear()
  expect((await readdir(place.folder)).filter((name) => name.endsWith('.mp4'))).toEqual(['k-101.mp4'])
})

async function store(values: Partial<Settings>): Promise<void> {
  for (const [key, value] of Object.entries(values))
    await sql`update settings set value = ${JSON.stringify(value)}::jsonb where key = ${key}`.execute(db)
}
