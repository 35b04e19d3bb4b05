// Released migrations never change: db/migrations/checksums.txt lists each with its SHA-256, in the format of sha256sum.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

export const MIGRATIONS_DIR = path.resolve(import.meta.dirname, '../../db/migrations')
const LIST = 'checksums.txt'
const LINE = /^([0-9a-f]{64}) {2}(\S+\.sql)$/

/** One line for each migration that was changed, removed, not listed or numbered too low, and for each broken line of the list. */
export function migrationProblems(dir = MIGRATIONS_DIR): string[] {
  const { listed, broken } = readList(dir)
  const files = readMigrations(dir)
  const names = new Set(listed.map(({ name }) => name))
  return [
    ...broken,
    ...listed.flatMap(({ name, checksum }, i) => {
      if (listed.findIndex((other) => other.name === name) < i) return [`${LIST} lists ${name} twice.`]
      const now = files.get(name)
      if (now === undefined) return [`The migration ${name} was removed: databases that have it would be refused. Put it back.`]
      return now === checksum ? [] : [`The migration ${name} was changed after its release. Put it back, and add a new one instead.`]
    }),
    ...[...files.keys()]
      .filter((name) => !names.has(name))
      .map((name) => lateNumber(name, listed) ?? `The migration ${name} is not in ${LIST}: run npm run schema.`),
  ]
}

/**
 * Appends the migrations that are not listed yet, and returns their names. Existing lines stay as they are. Throws, and writes
 * nothing, when a new migration has a lower number than a listed one.
 */
export function listNewMigrations(dir = MIGRATIONS_DIR): string[] {
  const { lines, listed } = readList(dir)
  const names = new Set(listed.map(({ name }) => name))
  const added = [...readMigrations(dir)].filter(([name]) => !names.has(name))
  const late = added.flatMap(([name]) => lateNumber(name, listed) ?? [])
  if (late.length > 0) throw new Error(late.join('\n'))
  const all = [...lines, ...added.map(([name, checksum]) => `${checksum}  ${name}`)].sort((one, other) =>
    nameOf(one) < nameOf(other) ? -1 : 1,
  )
  writeFileSync(path.join(dir, LIST), `${all.join('\n')}\n`)
  return added.map(([name]) => name)
}

/** The problem of a new migration with a lower number than a listed one. The migrator refuses it on databases that have the listed one. */
function lateNumber(name: string, listed: { name: string }[]): string | null {
  const last = listed.map((one) => one.name).reduce((max, other) => (other > max ? other : max), '')
  return name < last ? `The migration ${name} comes before ${last}, which is listed already: give it a higher number.` : null
}

function readList(dir: string): { lines: string[]; listed: { name: string; checksum: string }[]; broken: string[] } {
  const lines = readText(path.join(dir, LIST)).split('\n').filter(Boolean)
  const listed = lines.flatMap((line) => {
    const [, checksum, name] = LINE.exec(line) ?? []
    return checksum && name ? [{ name, checksum }] : []
  })
  return { lines, listed, broken: lines.filter((line) => !LINE.test(line)).map((line) => `${LIST} has a broken line: ${line}`) }
}

function nameOf(line: string): string {
  return LINE.exec(line)?.[2] ?? ''
}

/** The checksum of each migration by its file name; line endings do not count, as in server/migrate.ts. */
function readMigrations(dir: string): Map<string, string> {
  const names = readdirSync(dir)
    .filter((name) => name.endsWith('.sql'))
    .sort()
  return new Map(
    names.map((name) => [
      name,
      createHash('sha256')
        .update(readText(path.join(dir, name)))
        .digest('hex'),
    ]),
  )
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8').replaceAll('\r\n', '\n')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}
