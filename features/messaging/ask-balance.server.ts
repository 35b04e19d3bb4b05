import { sql } from 'kysely'
import type { Db } from '#lib/db.server.ts'
import type { SmsBalance, SmsGateway } from './gateway.ts'

/** Asks the provider what is left, and keeps the answer for all processes. */
export async function askBalance(db: Db, gateway: SmsGateway): Promise<SmsBalance> {
  const balance = await gateway.balance()
  if (balance.ok) await sql`update sms_provider set balance_poisha = ${balance.poisha}, balance_at = now()`.execute(db)
  return balance
}
