import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { newDatabase } from '#test/db.ts'
import { shared } from '#test/shared.ts'

// Row 72: until nine in the evening in Dhaka an order counts for tomorrow's list, then for the day after [S7], in every time zone of the server.

const run = promisify(execFile)
const FIXTURE = path.resolve(import.meta.dirname, '../../../test/fixtures/orders-at.ts')

const MOMENTS: [moment: string, listedOn: string][] = [
  ['2026-11-20T20:59:59.999+06:00', '2026-11-21'],
  ['2026-11-20T21:00:00.000+06:00', '2026-11-22'],
  ['2026-11-20T23:59:59.000+06:00', '2026-11-22'],
  ['2026-11-21T00:00:00.000+06:00', '2026-11-22'],
  ['2026-12-31T20:59:59.999+06:00', '2027-01-01'],
  ['2026-12-31T21:00:00.000+06:00', '2027-01-02'],
  ['2028-02-28T21:00:00.000+06:00', '2028-03-01'],
  // The night in which New York changes to winter time.
  ['2026-11-01T12:30:00.000+06:00', '2026-11-02'],
]

it.each([
  ['UTC', 0],
  ['Asia/Dhaka', -360],
  ['America/New_York', 300],
])('the cutoff at nine under TZ=%s', async (TZ, zone) => {
  await shared('pages')
  const database = await newDatabase()
  try {
    const args = ['--disable-warning=ExperimentalWarning', FIXTURE, database.url, ...MOMENTS.map(([moment]) => moment)]
    const { stdout } = await run(process.execPath, args, { env: { ...process.env, TZ } })
    expect(JSON.parse(stdout)).toEqual({ zone, days: MOMENTS.map(([, day]) => day) })
  } finally {
    await database.drop()
  }
})
