// Fails on words of the former private vocabulary in declared names, comments and test titles (scripts/language-rules.ts).
// scripts/language-allowed.json holds the findings that are still allowed, by file. `--update` lowers its counts, never raises one.
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { findBroken } from './language-rules.ts'
import { sourceTexts } from './source-texts.ts'

const root = path.resolve(import.meta.dirname, '..')
const ALLOWED = path.join(root, 'scripts/language-allowed.json')
const SOURCES = '{lib,page,components,features,site,server,dev,db,test,scripts,bench}/**/*.{ts,tsx}'
/** Files that name the words: the rules and their tests. Generated types take the names of columns. */
const EXEMPT = /^scripts\/(language-rules|check-language)|^test\/fixtures\/|^db\/types\.ts$/

const allowed: Record<string, number> = JSON.parse(readFileSync(ALLOWED, 'utf8'))
const findings = new Map<string, string[]>()
for (const file of globSync(SOURCES, { cwd: root }).map((name) => name.replaceAll('\\', '/'))) {
  if (EXEMPT.test(file)) continue
  const found = sourceTexts(file, readFileSync(path.join(root, file), 'utf8')).flatMap(({ kind, text, line }) =>
    findBroken(kind, text).map(({ instead }) => `${file}:${line}: ${kind} "${text.replace(/\s+/g, ' ').slice(0, 80)}" (say: ${instead})`),
  )
  if (found.length > 0) findings.set(file, found)
}

if (process.argv.includes('--update')) {
  const lowered = Object.entries(allowed).flatMap(([file, count]) => {
    const now = Math.min(count, findings.get(file)?.length ?? 0)
    return now > 0 ? [[file, now] as const] : []
  })
  writeFileSync(ALLOWED, `${JSON.stringify(Object.fromEntries(lowered), null, 2)}\n`)
}

const tooMany = [...findings].filter(([file, found]) => found.length > (allowed[file] ?? 0))
for (const [, found] of tooMany) for (const line of found) console.error(line)

const byArea = new Map<string, number>()
for (const [file, count] of Object.entries(allowed)) {
  const area = file.split('/').slice(0, 2).join('/')
  byArea.set(area, (byArea.get(area) ?? 0) + count)
}
const rest = [...byArea].sort(([, one], [, other]) => other - one).map(([area, count]) => `${area} ${count}`)
if (rest.length > 0) console.log(`Still allowed: ${rest.join(', ')}.`)
process.exitCode = tooMany.length > 0 ? 1 : 0
