import { sql } from 'kysely'
import type { Db } from '#lib/db/db.server.ts'
import type { SmsBalance, SmsGateway } from './gateway.ts'

/** Asks the provider what is left, and keeps the answer for all processes. */
export async function checkBalance(db: Db, gateway: SmsGateway): Promise<SmsBalance> {
  const balance = await gateway.balance()
  if (balance.ok) await sql`update sms_provider set balance_poisha = ${balance.poisha}, balance_at = now()`.execute(db)
  return balance
}

/** Enough for a few hundred messages; below it somebody should pay. */
const LOW_POISHA = 20_000

/** Asks by itself, so that the staff hear of an empty account before the customers hear nothing. */
export async function pollBalance(db: Db, gateway: SmsGateway | null, log: { warn(detail: object, message: string): void }): Promise<void> {
  if (gateway === null) return
  const balance = await checkBalance(db, gateway)
  if (balance.ok && balance.poisha < LOW_POISHA) log.warn({ taka: balance.poisha / 100 }, 'SMS balance is low')
}
