import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { shared } from '#test/shared.ts'

// Browsers from Chrome 93 and Safari 15.4 run the shop; older ones read it (docs/decisions/0069). The admin needs Chrome 99.

const CLIENT = join(import.meta.dirname, '../../dist/client')
const textsOf = (folder: string, names: Iterable<string>) =>
  Array.from(names, (name) => [name, readFileSync(join(CLIENT, folder, name), 'utf8')] as const)

beforeAll(() => shared('pages'))

test('the styles of the shop are in no layer, which browsers before Chrome 99 skip', () => {
  const sheets = textsOf('.vite/styles', readdirSync(join(CLIENT, '.vite/styles')))
  expect(sheets.length).toBeGreaterThan(20)
  expect(sheets.filter(([, css]) => css.includes('@layer')).map(([name]) => name)).toEqual([])
})

// Popovers are younger, and asked for before they are used.
const YOUNGER =
  /\b(structuredClone|withResolvers|fromAsync|canParse|checkVisibility)\b|\.(findLast|findLastIndex|toSorted|toReversed|toSpliced|groupBy|isSubsetOf|isSupersetOf|isDisjointFrom|symmetricDifference)\(|AbortSignal\.(any|timeout)|URL\.parse|\.(toWellFormed|isWellFormed)\(|Promise\.try|scheduler\.(yield|postTask)|\(\?<[=!]|\bstatic\{/g

/** Packages ask by `typeof` before they call. */
const isAsked = (name: string, script: string) => /^\w+$/.test(name) && new RegExp(`typeof \\w+\\.${name}==`).test(script)

test.each(['manifest', 'manifest-admin'])('the scripts of %s use nothing younger than the browsers that run them', (list) => {
  const manifest: Record<string, { file: string }> = JSON.parse(readFileSync(join(CLIENT, `.vite/${list}.json`), 'utf8'))
  const files = new Set(Object.values(manifest).flatMap(({ file }) => (file.endsWith('.js') ? [file] : [])))
  expect(files.size).toBeGreaterThan(50)
  const found = textsOf('.', files).flatMap(([name, script]) => {
    const younger = Array.from(script.matchAll(YOUNGER), ([use]) => use).find((use) => !isAsked(use, script))
    return younger ? [`${name}: ${younger}`] : []
  })
  expect(found).toEqual([])
})
