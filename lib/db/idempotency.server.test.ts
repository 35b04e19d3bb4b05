import { sql } from 'kysely'
import { beforeEach, expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { withIdempotencyKey } from './idempotency.server.ts'

const { db, reset } = await testDb()
beforeEach(async () => {
  await reset()
  await sql`truncate idempotency_keys`.execute(db)
})

const sent = (key: string | undefined, body: unknown = { name: 'Mango' }, staff = 1, url = '/admin/products/store') => ({
  headers: { 'idempotency-key': key },
  url,
  body,
  staff: { id: staff },
})

let made = 0
const make = async () => ({ ok: true as const, id: ++made })
const refuse = async () => ({ ok: false as const, reason: 'stale' })

it('the same words under the same key are made once, and answered as they were then', async () => {
  const first = await withIdempotencyKey(db, sent('a-key-of-mine'), make)
  expect(await withIdempotencyKey(db, sent('a-key-of-mine'), make)).toEqual(first)
  expect(await withIdempotencyKey(db, sent('another-key'), make)).not.toEqual(first)
  expect(await withIdempotencyKey(db, sent('a-key-of-mine', undefined, 2), make)).not.toEqual(first)
})

it('without a key each is another', async () => {
  const first = await withIdempotencyKey(db, sent(undefined), make)
  expect(await withIdempotencyKey(db, sent(undefined), make)).not.toEqual(first)
})

it('two at the same moment make one', async () => {
  const [one, other] = await Promise.all([
    withIdempotencyKey(db, sent('both-at-once'), make),
    withIdempotencyKey(db, sent('both-at-once'), make),
  ])
  expect(one).toEqual(other)
})

it.each([
  ['other words', sent('a-key-of-mine', { name: 'Honey' })],
  ['another address', sent('a-key-of-mine', undefined, 1, '/admin/slots/store')],
])('the same key for %s is refused', async (_what, other) => {
  await withIdempotencyKey(db, sent('a-key-of-mine'), make)
  await expect(withIdempotencyKey(db, other, make)).rejects.toMatchObject({ statusCode: 409 })
})

it.each(['short', 'a key with spaces', 'x'.repeat(201)])('%s is no key', async (key) => {
  await expect(withIdempotencyKey(db, sent(key), make)).rejects.toMatchObject({ statusCode: 422 })
})

it('what was refused, or failed, may be tried again under its key', async () => {
  expect(await withIdempotencyKey(db, sent('a-key-of-mine'), refuse)).toMatchObject({ ok: false })
  await expect(withIdempotencyKey(db, sent('a-key-of-mine'), () => Promise.reject(new Error('away')))).rejects.toThrow('away')
  expect(await withIdempotencyKey(db, sent('a-key-of-mine'), make)).toMatchObject({ ok: true })
})
