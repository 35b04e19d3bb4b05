import { sql } from 'kysely'
import type { Db } from '#lib/db/db.server.ts'

/** Records that a phone wants no campaigns. True when it is new. */
export async function addOptOut(db: Db, phone: string, source: 'link' | 'staff'): Promise<boolean> {
  const added = await sql`insert into sms_opt_outs (phone, source) values (${phone}, ${source}) on conflict (phone) do nothing`.execute(db)
  return Number(added.numAffectedRows ?? 0) === 1
}

/** Takes the opt-out of a phone back. True when there was one. */
export async function deleteOptOut(db: Db, phone: string): Promise<boolean> {
  const deleted = await sql`delete from sms_opt_outs where phone = ${phone}`.execute(db)
  return Number(deleted.numAffectedRows ?? 0) === 1
}
