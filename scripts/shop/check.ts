import { sql } from 'kysely'
import { findBroken } from '#db/invariants/find-broken.ts'
import { LEDGER_INVARIANTS } from '#db/invariants/ledger-invariants.ts'
import { ORDER_INVARIANTS } from '#db/invariants/order-invariants.ts'
import { countMedia, findUnnamedFiles } from '#features/backup/media-files.server.ts'
import { type Db, openDb } from '#lib/db/db.server.ts'
import { openUploads } from '#lib/files/uploads.server.ts'
import { plural } from '#lib/format/plural.ts'
import { HOUR_MS } from '#lib/format/time.ts'
import { type CommandEnv, readCommandEnv } from '#lib/runtime/env.server.ts'
import { readArguments } from './arguments.ts'
import { explainError } from './explain-error.ts'
import { COMMAND_CONNECTION, openShopDatabase } from './open-database.ts'

const SHOWN_ROWS = 10

export async function check(args: string[]): Promise<number> {
  readArguments('check', args, {})
  const invariants = { ...ORDER_INVARIANTS, ...LEDGER_INVARIANTS }
  const env = readCommandEnv()
  const database = await openShopDatabase(env, 'current')
  const { db, close } = openDb(database.url, { ...COMMAND_CONNECTION, applicationName: 'khamar-check', statementTimeout: 0 })
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
    await reportUploads(db, env).catch((error: unknown) => console.error(`Pictures and videos were not compared: ${explainError(error)}`))
    return failed === 0 ? 0 : 1
  } finally {
    await close()
    await database.close()
  }
}

/** No rule: lost pictures break no sums, and files too many cost space only. */
async function reportUploads(db: Db, { uploads: { folder, bucket } }: CommandEnv): Promise<void> {
  const place = bucket ? 'the bucket of UPLOADS' : folder
  const files: string[] = []
  for await (const { name } of openUploads({ folder, bucket }).list()) files.push(name)
  const { stored, found } = await countMedia(db, files, new Date(Date.now() - HOUR_MS))
  if (found < stored) console.log(`Pictures and videos without a file in ${place}: ${stored - found} of ${stored}.`)
  const unnamed = await findUnnamedFiles(db, files)
  if (unnamed.length > 0) console.log(`Files in ${place} of no picture or video, which cost space only: ${shorten(unnamed)}`)
}

const shorten = (names: readonly string[]): string =>
  names.length > SHOWN_ROWS ? `${names.slice(0, SHOWN_ROWS).join(' ')} … (${names.length})` : names.join(' ')

const describe = (row: object): string =>
  Object.entries(row)
    .map(([column, value]) => `${column} ${String(value)}`)
    .join(', ')
