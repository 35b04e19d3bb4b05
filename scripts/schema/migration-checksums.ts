// Released migrations never change: db/migrations/checksums.txt lists each with its SHA-256, in the format of sha256sum.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

export const MIGRATIONS_DIR = path.resolve(import.meta.dirname, '../../db/migrations')
const LIST = 'checksums.txt'
const LINE = /^([0-9a-f]{64}) {2}(\S+\.sql)$/

/** One line for each migration that was changed, removed or not listed, and for each line of the list that is none; empty when all is well. */
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
    ...[...files.keys()].filter((name) => !names.has(name)).map((name) => `The migration ${name} is not in ${LIST}: run npm run schema.`),
  ]
}

/** Adds the migrations that are not listed yet, and returns their names. Lines that are there stay as they are, in the order of names. */
export function listNewMigrations(dir = MIGRATIONS_DIR): string[] {
  const { lines, listed } = readList(dir)
  const names = new Set(listed.map(({ name }) => name))
  const added = [...readMigrations(dir)].filter(([name]) => !names.has(name))
  const all = [...lines, ...added.map(([name, checksum]) => `${checksum}  ${name}`)].sort((one, other) =>
    nameOf(one) < nameOf(other) ? -1 : 1,
  )
  writeFileSync(path.join(dir, LIST), `${all.join('\n')}\n`)
  return added.map(([name]) => name)
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
