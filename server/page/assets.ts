import type { IncomingMessage, ServerResponse } from 'node:http'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createHash } from 'node:crypto'
import { pathToFileURL } from 'node:url'
import type { ViteDevServer } from 'vite'
import { type Lang, LANGS } from '#lib/i18n/lang.ts'
import { SettingsError } from '#lib/runtime/settings-error.ts'
import { messageSetOf } from '#site/message-sets.ts'
import { WORKER_NAMES } from '#features/pos/storage-names.ts'
import { RETRY_STATUSES } from '#site/pos/device/outbox-rules.ts'

/** Names of admin pages, of the build (`admin-areas-areas`) and of the sources. */
const ADMIN_PAGE = /^(admin|pos)[-/]/

const ROOT = join(import.meta.dirname, '../..')

/** Styles, scripts and fonts of a page's document. */
export interface PageAssets {
  /** The shop's pages carry their styles, so that the first paint waits for nothing; empty where they are linked. */
  css: string
  /** `'sha256-…'` of css for the content security policy, empty without; null in development, where Vite adds styles itself. */
  cssHash: string | null
  /** Style sheets of the admin: the same for all of its pages, so that a browser loads them once per build. */
  sheets: string[]
  /** Module scripts, imported ones first: each is evaluated in a task of its own, so that no task is long. */
  scripts: string[]
  /** Text fonts that every page preloads. */
  fonts: string[]
}

interface ManifestChunk {
  file: string
  name?: string
  isEntry?: boolean
  imports?: string[]
  dynamicImports?: string[]
  assets?: string[]
  css?: string[]
}

export type RenderPage = typeof import('#site/pages.server.tsx').renderPage

/** Where pages come from: the build, or Vite while developing. */
export interface PageSource {
  assets(page: string, lang: Lang): PageAssets
  renderer(): Promise<RenderPage>
  /** The POS service worker with the list of files it caches; null in development. */
  posWorker(): string | null
  /** The URL of the script that measures visits; null in development. */
  analyticsScript(): string | null
  /** While developing: answers for sources, styles and hot reload before the shop does. */
  middleware?: (req: IncomingMessage, res: ServerResponse, next: () => void) => void
  /** Folder of the icons and other files with fixed names. */
  publicDir: string
}

/** Pages of a build. Throws a `SettingsError` when there is no build. */
export function builtPages(dist = join(ROOT, 'dist')): PageSource {
  const client = join(dist, 'client')
  const [shop, admin] = ['manifest.json', 'manifest-admin.json'].map((name) => join(client, '.vite', name)) as [string, string]
  if (!existsSync(shop)) throw new SettingsError('The pages are not built yet: run `npm run build` (npm start does it by itself).')
  // The whole build is read now, so that a build that replaces it does not mix with it.
  const known = new Map([...pagesOf(client, shop), ...pagesOf(client, admin)])
  const analytics = entryFile(shop, ANALYTICS)
  const worker = readPosWorker(client, admin, known)
  const render: Promise<RenderPage> = import(pathToFileURL(join(dist, 'server/pages.server.js')).href).then((module) => module.renderPage)
  return {
    publicDir: client,
    assets(page, lang) {
      const found = known.get(`${lang} ${page.replaceAll('/', '-')}`)
      if (!found) throw new Error(`No built page ${page}`)
      return found
    },
    renderer: () => render,
    posWorker: () => worker,
    analyticsScript: () => analytics,
  }
}

const ANALYTICS = 'analytics'
const POS_WORKER = 'pos-worker'
/** Pages that the worker opens without network. */
const POS_PAGES = ['pos-pos', 'pos-customer-display']
/** Images of the POS that no script references. */
const POS_IMAGES = ['/logo.png', '/favicon.svg', '/manifest.webmanifest']

/** The URL of an entry that is no page. */
function entryFile(manifestFile: string, entry: string): string {
  const manifest: Record<string, ManifestChunk> = JSON.parse(readFileSync(manifestFile, 'utf8'))
  const chunk = Object.values(manifest).find(({ name, isEntry }) => isEntry && name === entry)
  if (!chunk) throw new Error(`No built ${entry}`)
  return `/${chunk.file}`
}

/** The worker's script, after the list of files that the POS pages need in both languages. */
function readPosWorker(client: string, manifestFile: string, known: ReadonlyMap<string, PageAssets>): string {
  const manifest: Record<string, ManifestChunk> = JSON.parse(readFileSync(manifestFile, 'utf8'))
  const chunk = Object.values(manifest).find(({ name }) => name === POS_WORKER)
  if (!chunk) throw new Error('No built POS worker')
  const code = readFileSync(join(client, chunk.file), 'utf8')
  const files = new Set(POS_IMAGES)
  for (const page of LANGS.flatMap((lang) => POS_PAGES.map((name) => `${lang} ${name}`))) {
    const { scripts, sheets } = known.get(page)!
    const css = sheets.map((file) => readFileSync(join(client, file), 'utf8')).join('\n')
    for (const file of [...scripts, ...sheets, ...(css.match(/\/assets\/[\w-]+\.woff2/g) ?? [])]) files.add(file)
  }
  for (const file of loadedLater(manifest, files)) files.add(file)
  const build = createHash('sha256')
    .update(code)
    .update([...files].join())
    .digest('hex')
    .slice(0, 16)
  const given = { build, files: [...files], names: WORKER_NAMES, retryStatuses: RETRY_STATUSES }
  return `self.POS_BUILD=${JSON.stringify(given)};\n${code}`
}

/** Files that the page's scripts import dynamically. */
function loadedLater(manifest: Record<string, ManifestChunk>, files: ReadonlySet<string>): string[] {
  const found = new Set(Object.values(manifest).filter(({ file }) => files.has(`/${file}`)))
  for (const chunk of found)
    for (const name of [...(chunk.imports ?? []), ...(chunk.dynamicImports ?? [])]) if (manifest[name]) found.add(manifest[name])
  return [...found].flatMap(({ file, assets = [] }) => [file, ...assets]).map((file) => `/${file}`)
}

/** The assets of every page of a build, by language and name. */
function pagesOf(client: string, manifestFile: string): [string, PageAssets][] {
  const manifest: Record<string, ManifestChunk> = JSON.parse(readFileSync(manifestFile, 'utf8'))
  const entries = new Map(
    Object.values(manifest)
      .filter((chunk) => chunk.isEntry)
      .map((chunk) => [chunk.name ?? '', chunk]),
  )
  const names = [...entries.keys()].filter((name) => !name.startsWith('messages-') && name !== POS_WORKER && name !== ANALYTICS)
  const sheets = new Map<string, string>()
  const readSheet = (file: string) => sheets.get(file) ?? sheets.set(file, readFileSync(join(client, file), 'utf8')).get(file)!
  const build: Build = { manifest, entries, readSheet }
  return names.flatMap((name) => LANGS.map((lang): [string, PageAssets] => [`${lang} ${name}`, collect(build, name, lang)]))
}

interface Build {
  /** The contents of a style sheet. Both languages of a page get the same text. */
  readSheet(file: string): string
  manifest: Record<string, ManifestChunk>
  entries: Map<string, ManifestChunk>
}

function collect({ manifest, entries, readSheet }: Build, page: string, lang: Lang): PageAssets {
  const entry = entries.get(page)
  const messages = entries.get(`messages-${lang}-${ADMIN_PAGE.test(page) ? 'admin' : messageSetOf(page)}`)
  if (!entry || !messages) throw new Error(`No built page ${page}`)
  const chunks = new Set<ManifestChunk>()
  const visit = (chunk: ManifestChunk) => {
    if (chunks.has(chunk)) return
    for (const name of chunk.imports ?? []) if (manifest[name]) visit(manifest[name])
    chunks.add(chunk)
  }
  visit(messages)
  visit(entry)
  const scripts = [...chunks].map((chunk) => `/${chunk.file}`)
  if (ADMIN_PAGE.test(page)) {
    const sheets = [...new Set([...chunks].flatMap((chunk) => chunk.css ?? []))].map((file) => `/${file}`)
    return { css: '', cssHash: '', sheets, scripts, fonts: textFonts(sheets.map(readSheet).join('\n'), lang) }
  }
  const css = readSheet(`.vite/styles/${page}.css`)
  const cssHash = `'sha256-${createHash('sha256').update(css).digest('base64')}'`
  return { css, cssHash, sheets: [], scripts, fonts: textFonts(css, lang) }
}

/** The faces of the first screen, found by their names in the style sheet: both weights where they are small, else the regular one. */
function textFonts(css: string, lang: Lang): string[] {
  const requested = lang === 'bn' ? ['bengali-400'] : ['latin-400', 'latin-600']
  return requested.flatMap((name) => new RegExp(`/assets/[\\w-]*${name}[\\w-]*\\.woff2`).exec(css)?.[0] ?? []).map(ownCopy)
}

/** The text without the longer one that it was cut from: V8 keeps the whole of that in memory as long as a part of it is used. */
function ownCopy(part: string): string {
  return Buffer.from(part).toString()
}

/** Pages from their sources with hot reload. */
export function devPages(vite: ViteDevServer): PageSource {
  return {
    publicDir: join(ROOT, 'public'),
    middleware: vite.middlewares,
    assets: (page, lang) => ({
      css: '',
      cssHash: null,
      scripts: ['/@vite/client', `/messages/${lang}-${ADMIN_PAGE.test(page) ? 'admin' : 'account'}.ts`, `/@id/__x00__virtual:page/${page}`],
      sheets: [],
      fonts: [],
    }),
    posWorker: () => null,
    analyticsScript: () => null,
    renderer: async () => (await vite.ssrLoadModule('/site/pages.server.tsx')).renderPage,
  }
}
