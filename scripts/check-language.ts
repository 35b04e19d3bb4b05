// Fails on words of the former private vocabulary in declared names, comments and test titles (scripts/language-rules.ts).
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { findBroken } from './language-rules.ts'
import { sourceTexts } from './source-texts.ts'

const root = path.resolve(import.meta.dirname, '..')
const SOURCES = '{lib,page,components,features,site,server,dev,db,test,scripts,bench}/**/*.{ts,tsx}'
/** Files that name the words: the rules and their tests. Generated types take the names of columns. */
const EXEMPT = /^scripts\/(language-rules|check-language)|^test\/fixtures\/|^db\/types\.ts$/

for (const file of globSync(SOURCES, { cwd: root }).map((name) => name.replaceAll('\\', '/'))) {
  if (EXEMPT.test(file)) continue
  for (const { kind, text, line } of sourceTexts(file, readFileSync(path.join(root, file), 'utf8')))
    for (const { instead } of findBroken(kind, text)) {
      console.error(`${file}:${line}: ${kind} "${text.replace(/\s+/g, ' ').slice(0, 80)}" (say: ${instead})`)
      process.exitCode = 1
    }
}
