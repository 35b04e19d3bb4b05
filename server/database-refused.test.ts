import pg from 'pg'
import { expect, it } from 'vitest'
import { SettingsError } from '#lib/runtime/settings-error.ts'
import { testDb } from '#test/db.ts'
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
const errorOf = (connectionString: string) =>
  new pg.Client({ connectionString }).connect().then(
    () => null,
    (error: unknown) => error,
  )

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

it('a database of another role: one line', async () => {
  const error = Object.assign(new Error('permission denied for schema public'), { code: '42501' })
  expect(explainUnusable(error)).toEqual(
    new SettingsError('The database of DATABASE_URL cannot be used: permission denied for schema public; its user must own the database.'),
  )
})

it('any other error stays as it is', () => {
  const error = new Error('a fault of our own')
  expect(explainUnusable(error)).toBe(error)
})
