import { expect, it } from 'vitest'
import { DEFAULT_SETTINGS } from '#features/settings/settings.ts'
import { DAY_MS } from '#lib/format/time.ts'
import { testDb } from '#test/db.ts'
import { scheduleBackup } from './start-backup.ts'

const { db } = await testDb()

it('alarms once a day of an old backup, also after the clock was far ahead and was corrected', async () => {
  const errors: string[] = []
  const start = Date.now() + 2 * DAY_MS
  const run = async (days: number) => {
    const now = new Date(start + days * DAY_MS)
    // One has just been tried, so that none is started.
    await db
      .insertInto('backup_runs')
      .values({ started_at: now, finished_at: now, state: 'failed', error: 'disk full', started_by: 'schedule', target: 'folder' })
      .execute()
    const log = { error: (text: string) => void errors.push(text) }
    await scheduleBackup({ db, log, now: () => now, shopCache: { settings: async () => DEFAULT_SETTINGS } } as never)
    return errors.length
  }
  expect([await run(0), await run(0.5), await run(1.1)]).toEqual([1, 1, 2])
  expect([await run(400), await run(2), await run(2.5)]).toEqual([3, 4, 4])
})
