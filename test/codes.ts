import { sql } from 'kysely'
import type { Db } from '#lib/db/db.server.ts'

/** The code in the newest SMS to a number, as its holder reads it; null when there is none. */
export async function codeSentTo(db: Db, phone: string): Promise<string | null> {
  const { rows } = await sql<{
    body: string
  }>`select body from sms_outbox where purpose = 'code' and phone = ${phone} order by id desc limit 1`.execute(db)
  return /\d{6}/.exec(rows[0]?.body ?? '')?.[0] ?? null
}

/** A code that is not this one. */
export function wrongCode(code: string | null): string {
  return code === '000000' ? '000001' : '000000'
}
