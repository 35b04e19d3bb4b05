// During an upgrade the previous version still runs (decision 42): a migration must not take from it what it uses.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { MIGRATIONS_DIR } from './migration-checksums.ts'

/** Earlier migrations were applied while the shop was stopped. */
const FIRST = '0163'
const CHANGELOG = path.resolve(import.meta.dirname, '../../CHANGELOG.md')

const BREAKING: [RegExp, string][] = [
  [/^drop table (?:if exists )?(?<table>[\w".]+)/, 'drops a table'],
  [/^drop function/, 'drops a function'],
  [/^alter table (?:only )?(?<table>[\w".]+) .*\bdrop (?!constraint|not null|default|expression|identity)/, 'drops a column'],
  [/^alter table (?:only )?(?<table>[\w".]+) .*\brename (?!constraint)/, 'renames a table or column'],
  [/^alter (?:function|domain|type) .*\brename\b/, 'renames a function or type'],
  [/^alter table (?:only )?(?<table>[\w".]+) .*\balter (?:column )?\S+ (?:set data )?type\b/, 'changes the type of a column'],
  [/^alter table (?:only )?(?<table>[\w".]+) .*\balter (?:column )?\S+ set not null/, 'makes a column required'],
  [
    /^alter table (?:only )?(?<table>[\w".]+) .*\badd column (?:(?!\bdefault\b|\bgenerated\b|, add ).)*\bnot null(?!.*\bdefault\b)/,
    'adds a required column',
  ],
]
/** The author's reason why the previous version can go on: a wider type, for example. */
const COMPATIBLE = /^-- compatible: \S.*$/m
const CONTRACT = /^-- contract: unused since (\d+\.\d+\.\d+)$/m

/** One line for each new migration that breaks the previous version and is not marked as the contracting half. */
export function breakingMigrations(dir = MIGRATIONS_DIR, changelog = readFileSync(CHANGELOG, 'utf8')): string[] {
  return readdirSync(dir)
    .filter((name) => name.endsWith('.sql') && name >= FIRST)
    .toSorted()
    .flatMap((name) => problemsOf(name, readFileSync(path.join(dir, name), 'utf8'), changelog))
}

function problemsOf(name: string, text: string, changelog: string): string[] {
  if (COMPATIBLE.test(text)) return []
  const release = CONTRACT.exec(text)?.[1]
  if (release && isReleased(release, changelog)) return []
  if (release) return [`The migration ${name} contracts what ${release} stopped using, but ${release} is not released: wait for it.`]
  const statements = statementsOf(text)
  const own = new Set(statements.flatMap((statement) => /^create (?:temp |temporary |unlogged )?table (\S+)/.exec(statement)?.[1] ?? []))
  const found = statements.flatMap((statement) =>
    BREAKING.flatMap(([pattern, what]) => {
      const match = pattern.exec(statement)
      return match && !own.has(match.groups?.table ?? '') ? [what] : []
    }),
  )
  return [...new Set(found)].map(
    (what) =>
      `The migration ${name} ${what}, which the running version may use: expand first, and contract in the release after (CONTRIBUTING.md, Migrations).`,
  )
}

function isReleased(release: string, changelog: string): boolean {
  return changelog.split('\n').some((line) => line.startsWith(`## ${release} `) && !line.includes('unreleased'))
}

/** Statements in lower case on one line each, without comments, texts and bodies of functions. */
function statementsOf(text: string): string[] {
  return text
    .replaceAll(/\$(\w*)\$[\s\S]*?\$\1\$/g, "''")
    .replaceAll(/--.*$/gm, '')
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/'(?:[^']|'')*'/g, "''")
    .split(';')
    .map((statement) => statement.trim().replaceAll(/\s+/g, ' ').toLowerCase())
}
