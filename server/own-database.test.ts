import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, expect, it } from 'vitest'
import { adminUrlOfCluster, newDatabase, type TestDatabase } from '#test/db.ts'
import { migrate } from './migrate.ts'

const drops: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const drop of drops) await drop()
})

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return (await client.query(text).finally(() => client.end())).rows
}

async function emptyDatabase(): Promise<TestDatabase> {
  const database = await newDatabase({ template: 'template1' })
  drops.push(database.drop)
  return database
}

async function databaseWith(encoding: string): Promise<string> {
  const admin = await adminUrlOfCluster()
  const name = `encoding_${randomUUID().replaceAll('-', '')}`
  await query(admin, `create database ${name} encoding '${encoding}' template template0 locale 'C'`)
  drops.push(() => query(admin, `drop database ${name} with (force)`))
  return Object.assign(new URL(admin), { pathname: `/${name}` }).href
}

const tablesOf = (url: string) => query(url, `select relname as name from pg_class where relnamespace = 'public'::regnamespace order by 1`)

it.each(['SQL_ASCII', 'LATIN1'])('a database with the encoding %s is refused in one line and stays empty', async (encoding) => {
  const url = await databaseWith(encoding)
  await expect(migrate(url)).rejects.toMatchObject({
    name: 'MigrationError',
    message: `The database has the encoding ${encoding}: create it with --encoding UTF8 --template template0.`,
  })
  expect(await tablesOf(url)).toEqual([])
})

it.each([
  ['tables of another program', 'create table wp_posts (id int)', ['wp_posts']],
  ['migrations of another program', 'create table schema_migrations (version text)', ['schema_migrations']],
])('a database with %s is refused in one line and stays as it is', async (_what, text, names) => {
  const { url } = await emptyDatabase()
  await query(url, text)
  await expect(migrate(url)).rejects.toMatchObject({
    name: 'MigrationError',
    message: `The database holds tables of another program (such as ${names[0]}): name an empty one in DATABASE_URL.`,
  })
  expect(await tablesOf(url)).toEqual(names.map((name) => ({ name })))
})

it.each([
  [
    'a shop that another schema would hide',
    'create schema first; create table schema_migrations (name text, checksum text, applied_at timestamptz)',
    'first,public',
    'The shop is in the schema public, but the search_path of its role begins with first.',
  ],
  [
    'trigrams where the role does not look',
    'create schema first; create extension pg_trgm schema public',
    'first',
    'The extension pg_trgm is in the schema public: add that to the search_path of the role.',
  ],
])('%s: one line, and nothing is created', async (_what, text, searchPath, message) => {
  const { url } = await emptyDatabase()
  await query(url, text)
  const own = new URL(url)
  own.searchParams.set('options', `-c search_path=${searchPath}`)
  await expect(migrate(own.href)).rejects.toMatchObject({ name: 'MigrationError', message })
  expect(await query(url, `select relname as name from pg_class where relnamespace = 'first'::regnamespace`)).toEqual([])
})
