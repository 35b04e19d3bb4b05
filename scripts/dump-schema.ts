// Lists new migrations in db/migrations/checksums.txt and writes db/schema.sql: the schema after every migration, made in a database
// for the moment.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { startEmbedded } from '#server/embedded-postgres.ts'
import { migrate } from '#server/migrate.ts'
import { listNewMigrations, migrationProblems } from './schema/migration-checksums.ts'
import { schemaText } from './schema/schema-text.ts'

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
  await writeFile(path.resolve(import.meta.dirname, '../db/schema.sql'), await schemaText(client))
  await client.end()
} finally {
  await postgres.stop()
  await rm(dataDir, { recursive: true, force: true })
}
console.log(`Wrote db/schema.sql${added.length > 0 ? `, and listed ${added.join(', ')}` : ''}.`)

/** The migrations that were added to the list. Ends the process with one line for each migration whose number is too low. */
function listAdded(): string[] {
  try {
    return listNewMigrations()
  } catch (error) {
    console.error((error as Error).message)
    process.exit(1)
  }
}
