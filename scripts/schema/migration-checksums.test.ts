import { cpSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { listNewMigrations, MIGRATIONS_DIR, migrationProblems } from './migration-checksums.ts'

const home = mkdtempSync(path.join(tmpdir(), 'khamar-migrations-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))

let copies = 0
/** The project's own migrations, to break. */
function copy(): { dir: string; file: (name: string) => string } {
  const dir = path.join(home, String((copies += 1)))
  cpSync(MIGRATIONS_DIR, dir, { recursive: true })
  return { dir, file: (name) => path.join(dir, name) }
}

it('no released migration has changed or gone, and each new one is listed', () => {
  expect(migrationProblems()).toEqual([])
})

it.each<[string, (file: (name: string) => string) => void, string]>([
  [
    'changed',
    (file) => writeFileSync(file('0001_catalogue.sql'), 'select 1;'),
    'The migration 0001_catalogue.sql was changed after its release.',
  ],
  [
    'changed by one letter',
    (file) => writeFileSync(file('0089_orders_before_what_they_hold.sql'), ' ', { flag: 'a' }),
    'The migration 0089_orders_before_what_they_hold.sql was changed',
  ],
  ['removed', (file) => rmSync(file('0010_bookings.sql')), 'The migration 0010_bookings.sql was removed'],
  [
    'added',
    (file) => writeFileSync(file('9001_new.sql'), 'select 1;'),
    'The migration 9001_new.sql is not in checksums.txt: run npm run schema.',
  ],
  [
    'listed twice, as by a merge',
    (file) => writeFileSync(file('checksums.txt'), `${'0'.repeat(64)}  0001_catalogue.sql\n`, { flag: 'a' }),
    'checksums.txt lists 0001_catalogue.sql twice.',
  ],
  [
    'hidden by a merge',
    (file) => writeFileSync(file('checksums.txt'), '<<<<<<< HEAD\n', { flag: 'a' }),
    'checksums.txt has a broken line: <<<<<<< HEAD',
  ],
])('one that is %s is told', (_what, change, problem) => {
  const { dir, file } = copy()
  change(file)
  expect(migrationProblems(dir)).toEqual([expect.stringContaining(problem)])
})

it('reports a renamed one as removed, and its new name as numbered too low', () => {
  const { dir, file } = copy()
  renameSync(file('0010_bookings.sql'), file('0010_other.sql'))
  expect(migrationProblems(dir)).toEqual([
    expect.stringContaining('0010_bookings.sql was removed'),
    expect.stringContaining('0010_other.sql comes before'),
  ])
})

it('line endings do not count', () => {
  const { dir, file } = copy()
  writeFileSync(file('0001_catalogue.sql'), readFileSync(file('0001_catalogue.sql'), 'utf8').replaceAll('\n', '\r\n'))
  expect(migrationProblems(dir)).toEqual([])
})

it('adds the lines of new migrations at the end, and keeps the line of a changed one', () => {
  const { dir, file } = copy()
  const before = readFileSync(file('checksums.txt'), 'utf8').trim().split('\n')
  expect(listNewMigrations(dir)).toEqual([])
  writeFileSync(file('0001_catalogue.sql'), 'select 1;')
  writeFileSync(file('9000_new.sql'), 'select 2;')
  writeFileSync(file('9001_new.sql'), 'select 3;')
  expect(listNewMigrations(dir)).toEqual(['9000_new.sql', '9001_new.sql'])
  const after = readFileSync(file('checksums.txt'), 'utf8').trim().split('\n')
  expect(after.slice(0, -2)).toEqual(before)
  expect(after.map((line) => line.slice(66))).toEqual(after.map((line) => line.slice(66)).toSorted())
  expect(migrationProblems(dir)).toEqual([expect.stringContaining('0001_catalogue.sql was changed')])
  expect(listNewMigrations(dir)).toEqual([])
})

it('refuses a new migration with a lower number than a listed one, and lists nothing', () => {
  const { dir, file } = copy()
  const before = readFileSync(file('checksums.txt'), 'utf8')
  writeFileSync(file('0088_between.sql'), 'select 2;')
  writeFileSync(file('9001_new.sql'), 'select 3;')
  const last = before.trim().split('\n').at(-1)?.slice(66)
  const problem = `The migration 0088_between.sql comes before ${last}, which is listed already: give it a higher number.`
  expect(() => listNewMigrations(dir)).toThrow(problem)
  expect(readFileSync(file('checksums.txt'), 'utf8')).toBe(before)
  expect(migrationProblems(dir)).toEqual([problem, expect.stringContaining('9001_new.sql is not in')])
})
