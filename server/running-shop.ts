import type pg from 'pg'
import { SettingsError } from '#lib/runtime/settings-error.ts'

/**
 * Throws while a process of the shop uses the database. Its cached products and prices, and its open sessions, would outlive rows that are
 * replaced or removed.
 */
export async function rejectRunningShop(client: Pick<pg.Pool, 'query'>): Promise<void> {
  const { rows } = await client.query(
    "select 1 from pg_stat_activity where datname = current_database() and application_name = 'khamar' limit 1",
  )
  if (rows.length > 0) throw new SettingsError('The shop is running on this database: stop all of its processes first.')
}
