import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { vi } from 'vitest'
import type { Db } from '#lib/db/db.server.ts'

/** Stores settings as rows, and waits until the shop has read them. `readHome` returns the HTML of its home page. */
export async function storeSettings(db: Db, readHome: () => Promise<string>, settings: Record<string, unknown>): Promise<void> {
  const mark = `Settings ${randomUUID()}`
  const rows = Object.entries({ ...settings, announcement: { en: mark, bn: mark } })
  await sql`insert into settings (key, value) select key, value::jsonb from ${sql`unnest(${rows.map(([key]) => key)}::text[],
      ${rows.map(([, value]) => JSON.stringify(value))}::text[])`} as s(key, value)
    on conflict (key) do update set value = excluded.value`.execute(db)
  await vi.waitUntil(async () => (await readHome()).includes(mark), { timeout: 60_000, interval: 20 })
}
