import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { MIGRATIONS_DIR } from '#scripts/schema/migration-checksums.ts'
import { migrate } from '#server/migrate.ts'

/** Applies the migrations up to `last`, a name or its number: the schema of an earlier version. */
export async function migrateTo(url: string, last: string): Promise<void> {
  const dir = await mkdtemp(path.join(tmpdir(), 'khamar-migrations-'))
  try {
    const names = (await readdir(MIGRATIONS_DIR)).filter((name) => name.endsWith('.sql') && name.slice(0, last.length) <= last)
    for (const name of names) await cp(path.join(MIGRATIONS_DIR, name), path.join(dir, name))
    await migrate(url, { dir })
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}
