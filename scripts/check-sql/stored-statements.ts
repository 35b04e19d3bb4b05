// The hand-written SQL of the version before, for the test that the next migrations leave it working (decision 48).
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { MIGRATIONS_DIR } from '../schema/migration-checksums.ts'
import { findStatements } from './find-statements.ts'

const FILE = path.resolve(import.meta.dirname, '../../test/fixtures/previous-statements.json.gz')

interface StoredStatements {
  /** The version whose statements these are. */
  version: string
  /** The name of its last migration. */
  lastMigration: string
  texts: string[]
}

export function readStoredStatements(): StoredStatements {
  return JSON.parse(gunzipSync(readFileSync(FILE)).toString('utf8')) as StoredStatements
}

/** Stores the statements of this tree as those of `version`. */
export function storeStatements(version: string): StoredStatements {
  const texts = findStatements().statements.flatMap(({ at, texts }) => (at.startsWith('test/') ? [] : texts))
  const lastMigration = readdirSync(MIGRATIONS_DIR)
    .filter((name) => name.endsWith('.sql'))
    .toSorted()
    .at(-1)!
    .replace(/\.sql$/, '')
  const stored = { version, lastMigration, texts: [...new Set(texts)].toSorted() }
  writeFileSync(FILE, gzipSync(JSON.stringify(stored), { level: 9 }))
  return stored
}
