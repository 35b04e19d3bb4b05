// Fails on words of the former private vocabulary in names, comments, test titles, message keys and styles (scripts/language-rules.ts).
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { findBroken } from './language-rules.ts'
import { sourceTexts, styleTexts } from './source-texts.ts'

const root = path.resolve(import.meta.dirname, '..')
const SOURCES = ['{lib,page,components,features,site,server,dev,db,test,scripts,bench,messages}/**/*.{ts,tsx,mts,mjs,css}', '*.ts']
/** Files that name the words: the rules and their tests. Generated types take the names of columns. */
const EXEMPT = /^scripts\/(language-rules|check-language)|^test\/fixtures\/|^db\/types\.ts$/

for (const file of globSync(SOURCES, { cwd: root }).map((name) => name.replaceAll('\\', '/'))) {
  if (EXEMPT.test(file)) continue
  const source = readFileSync(path.join(root, file), 'utf8')
  for (const { kind, text, line } of file.endsWith('.css') ? styleTexts(source) : sourceTexts(file, source))
    for (const { instead } of findBroken(kind, text)) {
      console.error(`${file}:${line}: ${kind} "${text.replace(/\s+/g, ' ').slice(0, 80)}" (say: ${instead})`)
      process.exitCode = 1
    }
}
