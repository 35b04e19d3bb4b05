/** A line of a migration whose indexes are built while the shop reads and writes. */
const MARK = /^-- concurrently$/m
const CREATE = /^create (unique )?index if not exists (?<name>[a-z0-9_]+) on [\s\S]+$/

export const isConcurrent = (text: string): boolean => MARK.test(text)

/**
 * The indexes of a migration that is marked `-- concurrently`. Such a file has only statements `create index if not exists`, so that it can
 * also run as it is, in the transaction of a restore. Throws for any other statement.
 */
export function concurrentIndexes(text: string): { name: string; create: string }[] {
  const statements = text
    .replaceAll(/--.*$/gm, '')
    .split(';')
    .map((statement) => statement.trim())
    .filter(Boolean)
  return statements.map((statement) => {
    const name = CREATE.exec(statement)?.groups?.name
    if (!name)
      throw new Error(`a migration marked "-- concurrently" has only "create index if not exists", not "${statement.split('\n')[0]}"`)
    return { name, create: statement.replace(' index if', ' index concurrently if') }
  })
}
