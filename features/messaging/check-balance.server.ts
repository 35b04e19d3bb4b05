import type { Db } from '#lib/db/db.server.ts'
import type { SmsBalance, SmsGateway } from './gateway.ts'
import { LOW_BALANCE_TAKA } from './provider-response-rules.ts'

/** Reads the balance from the provider and stores it for all processes. */
export async function checkBalance(db: Db, gateway: SmsGateway): Promise<SmsBalance> {
  const balance = await gateway.balance()
  if (balance.ok) {
    const provider = db.updateTable('sms_provider')
    await provider.set((row) => ({ balance_poisha: balance.poisha, balance_at: row.fn('now', []) })).execute()
  }
  return balance
}

/** Checks the balance as a scheduled job, and logs a warning when it is low. */
export async function pollBalance(db: Db, gateway: SmsGateway | null, log: { warn(detail: object, message: string): void }): Promise<void> {
  if (gateway === null) return
  const balance = await checkBalance(db, gateway)
  if (balance.ok && balance.poisha < LOW_BALANCE_TAKA * 100) log.warn({ taka: balance.poisha / 100 }, 'SMS balance is low')
}
