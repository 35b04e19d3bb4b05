// Lists new migrations in db/migrations/checksums.txt and writes db/schema.sql and db/types.ts: the schema after all migrations,
// created in a temporary database.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { startEmbedded } from '#server/embedded-postgres.ts'
import { migrate } from '#server/migrate.ts'
import { listNewMigrations, migrationProblems } from './schema/migration-checksums.ts'
import { schemaText } from './schema/schema-text.ts'
import { typesText } from './schema/types-text.ts'

const added = listAdded()
const problems = migrationProblems()
if (problems.length > 0) {
  for (const problem of problems) console.error(problem)
  process.exit(1)
}

const dataDir = await mkdtemp(path.join(tmpdir(), 'khamar-schema-'))
const postgres = await startEmbedded({ dataDir, log: () => {} })
try {
  await migrate(postgres.url)
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  const db = path.resolve(import.meta.dirname, '../db')
  await writeFile(path.join(db, 'schema.sql'), await schemaText(client))
  await writeFile(path.join(db, 'types.ts'), await typesText(client))
  await client.end()
} finally {
  await postgres.stop()
  await rm(dataDir, { recursive: true, force: true })
}
console.log(`Wrote db/schema.sql and db/types.ts${added.length > 0 ? `, and listed ${added.join(', ')}` : ''}.`)

/** The migrations that were added to the list. Ends the process with one line for each migration whose number is too low. */
function listAdded(): string[] {
  try {
    return listNewMigrations()
  } catch (error) {
    console.error((error as Error).message)
    process.exit(1)
  }
}
