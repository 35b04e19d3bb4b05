import { existsSync } from 'node:fs'
import { draftOf, exportShop } from '#features/backup/export/export-shop.server.ts'
import { openDb } from '#lib/db/db.server.ts'
import { openUploads } from '#lib/files/uploads.server.ts'
import { plural } from '#lib/format/plural.ts'
import { readCommandEnv } from '#lib/runtime/env.server.ts'
import { SettingsError } from '#lib/runtime/settings-error.ts'
import { operatorPath, readArguments } from './arguments.ts'
import { COMMAND_CONNECTION, openShopDatabase } from './open-database.ts'

export async function exportData(args: string[]): Promise<number> {
  const { first } = readArguments('export', args, {}, 1)
  const folder = operatorPath(first)
  if (existsSync(folder)) throw new SettingsError(`${folder} exists already: name a new folder.`)
  const draft = draftOf(folder)
  if (existsSync(draft))
    throw new SettingsError(`${draft} is there, of an export that runs or was interrupted: delete it or name another folder.`)
  const env = readCommandEnv()
  const database = await openShopDatabase(env, 'current')
  const { pool, close } = openDb(database.url, { ...COMMAND_CONNECTION, applicationName: 'khamar-export', statementTimeout: 0 })
  try {
    const client = await pool.connect()
    try {
      const { tables, rows, files } = await exportShop(client, { folder, uploads: openUploads(env.uploads) })
      const [csv, row, file] = [plural(String(tables), 'CSV file'), plural(String(rows), 'row'), plural(String(files), 'file')]
      console.log(`${folder}: ${csv} with ${row}, and ${file} in uploads/.`)
      console.log('It holds customers’ data: keep it private.')
      console.log('It is for other programs. A spreadsheet runs cells that begin with =, + or @: import the columns as text there.')
    } finally {
      client.release(true)
    }
    return 0
  } finally {
    await close()
    await database.close()
  }
}
