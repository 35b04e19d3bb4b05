import { sql } from 'kysely'
import { findBroken } from '#db/invariants/find-broken.ts'
import { LEDGER_INVARIANTS } from '#db/invariants/ledger-invariants.ts'
import { ORDER_INVARIANTS } from '#db/invariants/order-invariants.ts'
import { openDb } from '#lib/db/db.server.ts'
import { plural } from '#lib/format/plural.ts'
import { readCommandEnv } from '#lib/runtime/env.server.ts'
import { readArguments } from './arguments.ts'
import { openShopDatabase } from './open-database.ts'

const SHOWN_ROWS = 10

export async function check(args: string[]): Promise<number> {
  readArguments('check', args, {})
  const invariants = { ...ORDER_INVARIANTS, ...LEDGER_INVARIANTS }
  const database = await openShopDatabase(readCommandEnv(), 'current')
  const { db, close } = openDb(database.url, { max: 1, applicationName: 'khamar-check', statementTimeout: 0 })
  try {
    const broken = await db
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute(async (tx) => {
        await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx)
        return findBroken(tx, invariants)
      })
    for (const [name, rows] of Object.entries(broken)) {
      console.log(`${name}: ${plural(String(rows.length), 'row')}`)
      for (const row of rows.slice(0, SHOWN_ROWS)) console.log(`  ${describe(row)}`)
      if (rows.length > SHOWN_ROWS) console.log('  …')
    }
    const failed = Object.keys(broken).length
    console.log(`${Object.keys(invariants).length} rules checked, ${failed === 0 ? 'all hold' : `${failed} broken`}.`)
    return failed === 0 ? 0 : 1
  } finally {
    await close()
    await database.close()
  }
}

const describe = (row: object): string =>
  Object.entries(row)
    .map(([column, value]) => `${column} ${String(value)}`)
    .join(', ')
