import pg from 'pg'
import { expect, it } from 'vitest'
import { SettingsError } from '#lib/runtime/settings-error.ts'
import { testDb } from '#test/db.ts'
import { MigrationError } from './apply-migration.ts'
import { explainUnusable } from './database-refused.ts'

const { url } = await testDb()
// A socket has no TLS.
const overTcp = (text: string) => {
  const tcp = new URL(text)
  tcp.searchParams.delete('host')
  tcp.searchParams.set('sslmode', 'verify-full')
  return tcp.href
}
const changed = (change: Partial<URL>) => Object.assign(new URL(url), change).href
async function errorOf(connectionString: string): Promise<unknown> {
  const client = new pg.Client({ connectionString })
  const error = await client.connect().then(
    () => null,
    (thrown: unknown) => thrown,
  )
  // PostgreSQL would wait a minute for its password, and every `drop database` of the cluster with it.
  await client.end()
  return error
}

it.each([
  [
    'nothing listens there',
    'postgresql://me:secret-word@127.0.0.1:1/shop',
    /^The database of DATABASE_URL cannot be used: connect ECONNREFUSED .*:1\.$/,
  ],
  [
    'no such host',
    'postgresql://me:secret-word@no-such-host.invalid/shop',
    /^The database of DATABASE_URL cannot be used: getaddrinfo .*\.$/,
  ],
  ['no such database', changed({ pathname: '/nowhere' }), /^The database of DATABASE_URL cannot be used: .*"nowhere".*\.$/],
  ['no TLS', overTcp(url), /^The database of DATABASE_URL cannot be used: The server does not support SSL connections\.$/],
  [
    'no password',
    changed({ password: '' }),
    /^The database of DATABASE_URL cannot be used: it asks for a password, and DATABASE_URL has none\.$/,
  ],
  ['no such user', changed({ username: 'nobody-known' }), /^The database of DATABASE_URL cannot be used: .*"nobody-known".*\.$/],
])('%s: one line without the password', async (_what, connectionString, line) => {
  const explained = explainUnusable(await errorOf(connectionString))
  expect(explained).toBeInstanceOf(SettingsError)
  expect((explained as Error).message).toMatch(line)
  expect((explained as Error).message).not.toContain('secret-word')
})

const RIGHTS = 'its user must own the database and what is in it, or have rights to create there'

it.each([
  ['permission denied for schema public', '42501'],
  ['no schema has been selected to create in', '3F000'],
])('a database of another role, %s: one line', async (message, code) => {
  const error = Object.assign(new Error(message), { code })
  expect(explainUnusable(error)).toEqual(new SettingsError(`The database of DATABASE_URL cannot be used: ${message}; ${RIGHTS}.`))
})

it('a migration that the role may not apply: the same line', () => {
  const cause = Object.assign(new Error('permission denied to create extension "pg_trgm"'), { code: '42501' })
  expect(explainUnusable(new MigrationError('The migration 0001_catalogue failed', { cause }))).toEqual(
    new SettingsError(`The database of DATABASE_URL cannot be used: ${cause.message}; ${RIGHTS}.`),
  )
  const other = new MigrationError('The migration 0001_catalogue failed', { cause: new Error('a fault of our own') })
  expect(explainUnusable(other)).toBe(other)
})

it('a certificate of an authority that is unknown here: names the setting', () => {
  const error = Object.assign(new Error('unable to verify the first certificate'), { code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' })
  expect((explainUnusable(error) as Error).message).toContain('name its file with sslrootcert')
})

it('any other error stays as it is', () => {
  const error = new Error('a fault of our own')
  expect(explainUnusable(error)).toBe(error)
})
