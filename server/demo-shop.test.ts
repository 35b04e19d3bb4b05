import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { makeOwner } from '#features/auth/make-owner.server.ts'
import { readEnv } from '#lib/runtime/env.server.ts'
import { testDb } from '#test/db.ts'
import { decideDemo } from './demo-shop.ts'

const { db, reset } = await testDb()
const dataDir = await mkdtemp(path.join(tmpdir(), 'khamar-demo-'))
afterAll(() => rm(dataDir, { recursive: true }))
beforeEach(reset)

const start = (DEMO: string, isEmbedded: boolean) =>
  decideDemo(
    readEnv({ DATA_DIR: dataDir, DEMO }),
    isEmbedded,
    db,
    () => {},
    async () => {},
  )
const productCount = () =>
  db
    .selectFrom('products')
    .select('id')
    .execute()
    .then((rows) => rows.length)

it('fills an empty embedded database', async () => {
  expect(await start('auto', true)).toBe('on')
  expect(await productCount()).toBeGreaterThan(0)
})

it.each([
  ['auto', true],
  ['on', false],
])('with DEMO=%s it stays out of a shop whose owner sets it up', async (DEMO, isEmbedded) => {
  await makeOwner(db, { phone: '01712345678', name: 'Abdul Karim', passwordHash: 'x', once: false, now: new Date() })
  expect(await start(DEMO, isEmbedded)).toBe('off')
  expect(await productCount()).toBe(0)
})
