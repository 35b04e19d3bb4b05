import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import { breakingMigrations } from './breaking-migrations.ts'

const CHANGELOG = '## 0.3.0 - unreleased\n\n## 0.2.0 - 2026-12-01\n'

function problems(text: string, name = '0163_test.sql'): string[] {
  const dir = mkdtempSync(path.join(tmpdir(), 'khamar-breaking-'))
  try {
    writeFileSync(path.join(dir, name), text)
    return breakingMigrations(dir, CHANGELOG)
  } finally {
    rmSync(dir, { recursive: true })
  }
}

it.each([
  ['drop table goats', 'drops a table'],
  ['DROP TABLE IF EXISTS goats', 'drops a table'],
  ['alter table cows drop column horns', 'drops a column'],
  ['alter table cows\n  add column age int,\n  drop horns', 'drops a column'],
  ['alter table cows rename column horns to antlers', 'renames a table or column'],
  ['alter table cows rename to cattle', 'renames a table or column'],
  ['alter table only cows alter column age type bigint', 'changes the type of a column'],
  ['alter table cows alter age set not null', 'makes a column required'],
  ['alter table cows add column age int not null', 'adds a required column'],
  ['drop function moo(int)', 'drops a function'],
  ['create table goats (id int); alter function moo rename to bleat', 'renames a function or type'],
])('%s is refused', (text, what) => {
  expect(problems(`${text};`)).toEqual([expect.stringContaining(`0163_test.sql ${what}, which the running version may use`)])
})

it.each([
  'create table goats (id int not null)',
  'create table goats (id int); alter table goats drop column id; drop table goats',
  'alter table cows add column age int',
  'alter table cows add column age int not null default 0',
  'alter table cows add column age int generated always as (2) stored not null',
  'alter table cows drop constraint cows_age, add constraint cows_age check (age > 0) not valid',
  'alter table cows rename constraint a to b',
  'alter table cows alter column age drop not null, alter column name drop default',
  "insert into notes values ('drop table goats; alter table cows drop column horns')",
  '-- drop table goats\n/* drop table goats; */ select 1',
  'create or replace function moo() returns void language plpgsql as $$ begin drop table goats; end $$',
  'drop trigger a on cows; drop index b',
])('%s is allowed', (text) => {
  expect(problems(`${text};`)).toEqual([])
})

it('the contracting half names the release that stopped using it', () => {
  const drop = 'alter table cows drop column horns;'
  expect(problems(`-- contract: unused since 0.2.0\n${drop}`)).toEqual([])
  expect(problems(`-- contract: unused since 0.3.0\n${drop}`)).toEqual([expect.stringContaining('0.3.0 is not released')])
  expect(problems(`-- contract\n${drop}`)).toHaveLength(1)
  expect(problems(drop, '0162_before_the_rule.sql')).toEqual([])
})

it('a change that the previous version does not notice gives its reason', () => {
  const wider = 'alter table cows alter column age type bigint;'
  expect(problems(`-- compatible: every int is a bigint\n${wider}`)).toEqual([])
  expect(problems(`-- compatible:\n${wider}`)).toHaveLength(1)
})
