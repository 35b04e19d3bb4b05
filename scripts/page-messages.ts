// Every page of the shop loads a file with the texts that its modules name, and no others: fewer bytes before it can be used.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type MessageSet, messageSetOf } from '#site/message-sets.ts'

const ROOT = join(import.meta.dirname, '..')
const IMPORT = /^(?:import|export)\s(?!type\s)(?:[^'"]*?\sfrom\s)?\s*'([^']+)'|\bimport\('([^']+)'\)/gm
const KEY = /^ {2}'([\w.-]+)':/

/**
 * The keys of texts that one set of pages names, by area (`cart` for messages/en/cart.ts). Left out are the areas that a module registers
 * itself (`#messages/prebook-form.ts`), and what only later parts name of an area that is loaded with them (`import('#messages/en/checkout.ts')`).
 */
export function keysOfSet(set: MessageSet): Map<string, Set<string>> {
  const pages = globSync('site/store/**/*.page.tsx', { cwd: ROOT }).map((file) => file.replaceAll('\\', '/'))
  const roots = ['site/hydrate.tsx', ...pages.filter((file) => messageSetOf(file.slice('site/'.length, -'.page.tsx'.length)) === set)]
  const all = modulesOf(roots)
  const initial = textOf(modulesOf(roots, { withDynamic: false }).modules)
  const text = textOf(all.modules)
  const used = areas()
    .filter((area) => !all.registered.has(area))
    .map((area) => [area, usedKeys(keysOf(sourceOf(area)), all.later.has(area) ? initial : text)] as const)
  return new Map(used.filter(([, keys]) => keys.size > 0))
}

const areas = () => globSync('*.ts', { cwd: join(ROOT, 'messages/en') }).map((file) => file.slice(0, -'.ts'.length))
const sourceOf = (area: string) => readFileSync(join(ROOT, 'messages/en', `${area}.ts`), 'utf8')

/** The source of an area's texts without the entries that are not included. */
export function onlyTexts(source: string, included: ReadonlySet<string>): string {
  let isDropped = false
  return source
    .split('\n')
    .filter((line) => {
      const key = KEY.exec(line)?.[1]
      if (key !== undefined) isDropped = !included.has(key)
      else if (!line.startsWith('   ')) isDropped = false
      return !isDropped
    })
    .join('\n')
}

/** The keys in a source text: string literals, and for a template (`order-status.${status}`) all keys with its prefix. */
export function usedKeys(keys: readonly string[], text: string): Set<string> {
  const strings = new Set(Array.from(text.matchAll(/['"`]([\w-]+\.[\w.-]+)['"`]/g), ([, string]) => string))
  const starts = Array.from(text.matchAll(/`([\w-]+\.[\w.-]*)\$\{/g), ([, start]) => start!)
  return new Set(keys.filter((key) => strings.has(key) || starts.some((start) => key.startsWith(start))))
}

function keysOf(source: string): string[] {
  return source.split('\n').flatMap((line) => KEY.exec(line)?.[1] ?? [])
}

interface Graph {
  modules: Set<string>
  /** Areas of texts that a module registers itself. */
  registered: Set<string>
  /** Areas of texts that are imported dynamically. */
  later: Set<string>
}

/** All modules that these files import. */
function modulesOf(files: readonly string[], { withDynamic = true } = {}): Graph {
  const graph: Graph = { modules: new Set(files.map((file) => join(ROOT, file))), registered: new Set(), later: new Set() }
  for (const module of graph.modules)
    for (const [, initial, later] of readFileSync(module, 'utf8').matchAll(IMPORT)) {
      const name = withDynamic ? (initial ?? later) : initial
      const path = name?.startsWith('#') ? join(ROOT, name.slice(1)) : name?.startsWith('.') ? join(dirname(module), name) : ''
      // What only the server renders (components/server-only.tsx) needs no texts in the browser.
      if (!/\.tsx?$/.test(path) || path.endsWith('.static.tsx') || !existsSync(path)) continue
      if (!path.startsWith(join(ROOT, 'messages/'))) graph.modules.add(path)
      else if (later) graph.later.add(path.slice(join(ROOT, 'messages/en/').length, -'.ts'.length))
      else for (const [, area] of readFileSync(path, 'utf8').matchAll(/'\.\/en\/([\w-]+)\.ts'/g)) graph.registered.add(area!)
    }
  return graph
}

function textOf(modules: Iterable<string>): string {
  return Array.from(modules, (module) => readFileSync(module, 'utf8')).join('\n')
}
