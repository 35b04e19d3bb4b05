import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, expect, it } from 'vitest'
import { newDatabase } from '#test/db.ts'
import { freePort } from '#test/free-port.ts'
import { runScript } from '#test/run-script.ts'
import { shared } from '#test/shared.ts'

await shared('pages')
const dataDir = await mkdtemp(path.join(tmpdir(), 'khamar-wrong-'))
const database = await newDatabase({ template: 'template1' })
const other = createServer((socket) => socket.destroy())
await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
const TAKEN = String((other.address() as AddressInfo).port)
const FREE = String(await freePort())
afterAll(async () => {
  other.close()
  await database.drop()
  await rm(dataDir, { recursive: true, force: true })
})

const PRODUCTION = {
  NODE_ENV: 'production',
  SESSION_SECRET: 'x'.repeat(32),
  PUBLIC_URL: 'https://khamar.example',
  DATA_DIR: dataDir,
  DATABASE_URL: database.url,
}

async function tables(): Promise<number> {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const { rows } = await client.query<{ n: number }>(`select count(*)::int as n from pg_class where relnamespace = 'public'::regnamespace`)
  await client.end()
  return rows[0]!.n
}

it.each<[Record<string, string>, RegExp]>([
  [{ SMS_API_KEY: 'a-secret-key' }, /^SMS_SENDER_ID must be set too: .*\n$/],
  [{ BKASH_USERNAME: 'khamar' }, /^BKASH_PASSWORD, .* must be set too: .*\n$/],
  [{ SMTP_URL: 'smtps://mail.example' }, /^EMAIL_FROM is needed to send email: .*\n$/],
  [{ META_ACCESS_TOKEN: 'short' }, /^META_ACCESS_TOKEN must be .*\n$/],
  [{ PORT: TAKEN }, /^Port \d+ is taken by another program: stop it, or choose another with PORT=3001\.\n$/],
  [{ HOST: '203.0.113.7' }, /^HOST 203\.0\.113\.7 is no address of this machine\.\n$/],
  [{ PORT: FREE, METRICS_PORT: TAKEN }, /^METRICS_PORT \d+ is taken by another program: stop it, or choose another port\.\n$/],
  [{ PORT: FREE, METRICS_PORT: FREE }, /^METRICS_PORT \d+ is taken by another program: stop it, or choose another port\.\n$/],
  [
    { PORT: FREE, METRICS_PORT: '9301', METRICS_HOST: '203.0.113.7', METRICS_TOKEN: 'x'.repeat(16) },
    /^METRICS_HOST .* is no address of this machine\.\n$/,
  ],
])('%o ends the start before the database is changed', async (wrong, line) => {
  expect(await runScript('server/main.mjs', { env: { ...PRODUCTION, ...wrong } })).toEqual({ code: 1, output: expect.stringMatching(line) })
  expect(await tables()).toBe(0)
})
