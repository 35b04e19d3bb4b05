import pg from 'pg'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { ownPostgres } from '#test/own-postgres.ts'
import { withDatabaseOnServer } from './scratch-on-server.ts'

const postgres = await ownPostgres()
afterAll(() => postgres.remove())
const lines: string[] = []
beforeEach(() => (lines.length = 0))
const log = (line: string) => lines.push(line)

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query({ text, rowMode: 'array' })).rows.flat()
  } finally {
    await client.end()
  }
}

const superuser = () => `postgresql://postgres@127.0.0.1:${new URL(postgres.url).port}/postgres`
const checks = () => query(postgres.url, "select datname from pg_database where datname like '%backup_check'")
const name = () => `${new URL(postgres.url).pathname.slice(1)}_khamar_backup_check`

it('gives an empty database with the locale of the shop, instead of one that a killed check left, and drops it', async () => {
  await query(postgres.url, `create database ${name()}`)
  const locale = 'select datcollate, datctype, pg_encoding_to_char(encoding) from pg_database where datname = current_database()'
  const used = await withDatabaseOnServer(
    postgres.url,
    async (url) => ({
      tables: await query(url, "select tablename from pg_tables where schemaname = 'public'"),
      locale: await query(url, locale),
    }),
    log,
  )
  expect(used).toEqual({ tables: [], locale: await query(postgres.url, locale) })
  expect([await checks(), lines]).toEqual([[], []])
})

it('drops it when the restore fails, and throws; a full disk is no failure of the backup', async () => {
  const fail = (error: Error) =>
    withDatabaseOnServer(
      postgres.url,
      async () => {
        throw error
      },
      log,
    )
  await expect(fail(new Error('The sums differ.'))).rejects.toThrow('The sums differ.')
  expect(lines).toEqual([])
  const full = Object.assign(new Error('could not extend file: No space left on device'), { code: '53100' })
  expect(await fail(full)).toBeNull()
  expect([await checks(), lines.length]).toEqual([[], 1])
})

it('creates none without the right to, and says so', async () => {
  await query(superuser(), `alter role ${new URL(postgres.url).username} nocreatedb`)
  expect(await withDatabaseOnServer(postgres.url, () => Promise.reject(new Error('not reached')), log)).toBeNull()
  expect(lines).toEqual([expect.stringContaining('CREATEDB')])
})
