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

let created = 0
const create = async () => ({ ok: true as const, id: ++created })
const reject = async () => ({ ok: false as const, reason: 'stale' })

it('the same request with the same key runs once, and repeats get the stored result', async () => {
  const first = await withIdempotencyKey(db, sent('a-key-of-mine'), create)
  expect(await withIdempotencyKey(db, sent('a-key-of-mine'), create)).toEqual(first)
  expect(await withIdempotencyKey(db, sent('another-key'), create)).not.toEqual(first)
  expect(await withIdempotencyKey(db, sent('a-key-of-mine', undefined, 2), create)).not.toEqual(first)
})

it('without a key every request runs', async () => {
  const first = await withIdempotencyKey(db, sent(undefined), create)
  expect(await withIdempotencyKey(db, sent(undefined), create)).not.toEqual(first)
})

it('two concurrent requests with one key run once', async () => {
  const [one, other] = await Promise.all([
    withIdempotencyKey(db, sent('both-at-once'), create),
    withIdempotencyKey(db, sent('both-at-once'), create),
  ])
  expect(one).toEqual(other)
})

it.each([
  ['another body', sent('a-key-of-mine', { name: 'Honey' })],
  ['another URL', sent('a-key-of-mine', undefined, 1, '/admin/slots/store')],
])('the same key for %s is rejected', async (_what, other) => {
  await withIdempotencyKey(db, sent('a-key-of-mine'), create)
  await expect(withIdempotencyKey(db, other, create)).rejects.toMatchObject({ statusCode: 409 })
})

it.each(['short', 'a key with spaces', 'x'.repeat(201)])('%s is an invalid key', async (key) => {
  await expect(withIdempotencyKey(db, sent(key), create)).rejects.toMatchObject({ statusCode: 422 })
})

it('a rejected or failed command can be repeated with its key', async () => {
  expect(await withIdempotencyKey(db, sent('a-key-of-mine'), reject)).toMatchObject({ ok: false })
  await expect(withIdempotencyKey(db, sent('a-key-of-mine'), () => Promise.reject(new Error('away')))).rejects.toThrow('away')
  expect(await withIdempotencyKey(db, sent('a-key-of-mine'), create)).toMatchObject({ ok: true })
})
