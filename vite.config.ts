import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import packageJson from './package.json' with { type: 'json' }
import { defineConfig, type Plugin, type Rolldown, type UserConfig } from 'vite'
import { keysOfSet, onlyTexts } from './scripts/page-messages.ts'
import { LANGS } from './lib/i18n/lang.ts'
import { MESSAGE_SETS, type MessageSet } from './site/message-sets.ts'
import { classCandidates, purgeCss, unlayerCss } from './scripts/purge-css.ts'

/** Where the build is written: `scripts/setup/pages.mjs` builds beside `dist` and puts the result in its place. */
const PAGES_DIR = process.env.PAGES_DIR ?? 'dist'

/** `site/store/home/home.page.tsx` is the page `store/home/home`; each page is an entry of its own, of the shop's build or of the admin's. */
function pagesOf(part: 'shop' | 'admin'): string[] {
  const all = globSync('site/**/*.page.tsx')
    .map((file) => file.replaceAll('\\', '/'))
    .sort()
  return all.filter((file) => /^site\/(admin|pos)\//.test(file) === (part === 'admin'))
}
const pageName = (file: string) => file.replace(/^site\//, '').replace(/\.page\.tsx$/, '')
const PAGE_PREFIX = 'virtual:page/'

/** Makes the browser entry of a page: hydrate its component with the props on the mount element. */
function pageEntries(): Plugin {
  return {
    name: 'khamar-page-entries',
    resolveId: (id) => (id.startsWith(PAGE_PREFIX) ? `\0${id}` : undefined),
    load(id) {
      if (!id.startsWith(`\0${PAGE_PREFIX}`)) return undefined
      const name = id.slice(PAGE_PREFIX.length + 1)
      const first = name.startsWith('store/') ? '' : `import '/site/admin/zod-config.ts'\n`
      return `${first}import '@vitejs/plugin-react/preamble'\nimport { hydratePage } from '/site/hydrate.tsx'\nimport { Page } from '/site/${name}.page.tsx'\nhydratePage(Page)\n`
    },
  }
}

const TEXTS_PREFIX = 'virtual:texts/'

/** `virtual:texts/en/lists` registers the texts that a set of pages names. Its areas are modules of its own, so that it becomes one file. */
function pageTexts(): Plugin {
  const keys = new Map<string, ReturnType<typeof keysOfSet>>()
  const keysOf = (set: string) => keys.get(set) ?? keys.set(set, keysOfSet(set as MessageSet)).get(set)!
  return {
    name: 'khamar-page-texts',
    apply: 'build',
    enforce: 'pre',
    resolveId: (id) => (id.startsWith(TEXTS_PREFIX) ? `\0${id}` : undefined),
    load(id) {
      if (id.startsWith(`\0${TEXTS_PREFIX}`)) {
        const [lang, set] = id.slice(TEXTS_PREFIX.length + 1).split('/') as [string, string]
        const areas = [...keysOf(set).keys()]
        const imports = areas.map((area) => `import { ${area} } from '${import.meta.dirname}/messages/${lang}/${area}.ts?texts=${set}'\n`)
        return `import { registerMessages } from './lib/i18n/translate.ts'\n${imports.join('')}registerMessages('${lang}', { ...${areas.join(', ...')} })\n`
      }
      const [, file, area, set] = /^(.*\/(\w+)\.ts)\?texts=(\w+)$/.exec(id) ?? []
      return file && area && set ? onlyTexts(readFileSync(file, 'utf8'), keysOf(set).get(area)!) : undefined
    },
  }
}

/** Leaves `import()` as it is written, without Vite's preloads: a page's document carries the styles of its later parts already. */
function plainImports(): Plugin {
  return {
    name: 'khamar-plain-imports',
    apply: 'build',
    configResolved({ plugins }) {
      const preloads = plugins.find(({ name }) => name === 'native:import-analysis-build')
      if (!preloads) throw new Error('Vite adds its preloads by another plugin now: see plainImports in vite.config.ts.')
      preloads.applyToEnvironment = () => false
    },
  }
}

/**
 * Leaves the parts that only the server renders out of the browser's modules. Tree shaking alone keeps what they import in the page's chunk,
 * so that `import()` could not load it later.
 */
function serverOnlyParts(): Plugin {
  return {
    name: 'khamar-server-only-parts',
    apply: 'build',
    enforce: 'pre',
    load(id) {
      if (!id.endsWith('.static.tsx')) return undefined
      const names = readFileSync(id, 'utf8').matchAll(/^export (?:function|const) (\w+)/gm)
      return Array.from(names, ([, name]) => `export const ${name} = null\n`).join('')
    },
  }
}

/** Writes the style sheet that each page of the shop carries in its document: `.vite/styles/store-home.css`. */
function pageStyles(): Plugin {
  return {
    name: 'khamar-page-styles',
    apply: 'build',
    writeBundle(options, bundle) {
      const dir = options.dir ?? ''
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
      for (const entry of chunks.filter(({ isEntry, name }) => isEntry && !/^(messages-|(pos-worker|analytics)$)/.test(name))) {
        const own = reachable(entry, bundle)
        const sheets = new Set(own.flatMap((chunk) => [...(chunk.viteMetadata?.importedCss ?? [])]))
        const css = [...sheets].map((file) => readFileSync(join(dir, file), 'utf8')).join('\n')
        const path = join(dir, '.vite/styles', `${entry.name}.css`)
        mkdirSync(dirname(path), { recursive: true })
        writeFileSync(
          path,
          unlayerCss(
            purgeCss(css, classCandidates([...own.filter(({ name }) => name !== 'react').map(({ code }) => code), ...staticSources()])),
          ),
        )
      }
    },
  }
}

/** The sources of the parts that only the server renders, with all that they import: they are in no chunk. */
function staticSources(): string[] {
  const files = new Set(globSync('site/**/*.static.tsx'))
  for (const file of files)
    for (const [, base, path] of readFileSync(file, 'utf8').matchAll(/ from '(#|\.{1,2}\/)([^']+\.tsx)'/g))
      files.add(base === '#' ? join(path!) : join(dirname(file), base!, path!))
  return Array.from(files, (file) => readFileSync(file, 'utf8'))
}

/** A chunk with all that it imports, at once or later. */
function reachable(entry: Rolldown.OutputChunk, bundle: Rolldown.OutputBundle): Rolldown.OutputChunk[] {
  const found = new Set([entry])
  for (const chunk of found)
    for (const name of [...chunk.imports, ...chunk.dynamicImports]) {
      const next = bundle[name]
      if (next?.type === 'chunk') found.add(next)
    }
  return [...found]
}

export default defineConfig(({ isSsrBuild = false }) => configOf(isSsrBuild, process.env.PAGES_OF === 'admin'))

/** Files that several pages share. */
const CHUNKS = [
  { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/, priority: 2 },
  // Modules of most pages are one file, which compresses better than a dozen. The lists have no fields.
  // Suggestions are loaded when the search box is used.
  {
    name: 'shared',
    test: /^(?!.*(components\/field|store\/search\/|ui\/(use-status-refresh|status-refresh|price|add-button)\.|messages\/(suggestions|en\/suggest|bn\/suggest)))/,
    minShareCount: 9,
    priority: 1,
  },
  // What all lists show is one file. The comparison uses some of it, which alone would make it shared with the checkout.
  {
    name: 'cards',
    test: /ui\/(use-status-refresh|status-refresh|price|add-button|product-card)\.|listing\/product-grid/,
    minShareCount: 6,
  },
  // One file compresses better than two.
  { name: 'field', test: /components\/(field|taka-field)\./ },
  { name: 'pricing', test: /features\/pricing\/(rules|advance-terms-rules)\./ },
]

/** V8 keeps the source in memory, in two bytes a character where a single one is Bengali: 7 MB, and 3.7 as ASCII without comments. */
const SERVER_SOURCE: Rolldown.OutputOptions = {
  comments: false,
  minify: { compress: false, mangle: false, codegen: { removeWhitespace: false, asciiOnly: true } },
}

const configOf = (isSsrBuild: boolean, isAdmin: boolean): UserConfig => ({
  plugins: [
    react(),
    tailwindcss(),
    pageEntries(),
    pageTexts(),
    // Pages of the admin link their style sheets: staff have them in the browser's cache.
    ...(isSsrBuild || isAdmin ? [] : [pageStyles(), plainImports(), serverOnlyParts()]),
  ],
  appType: 'custom',
  // React chooses between its builds when it is loaded, by the process's NODE_ENV: left outside, a shop that does not set it would
  // render every page with the one for development, at several times the cost. (`npm run dev` loads pages without this.)
  define: { SHOP_VERSION: JSON.stringify(packageJson.version), ...(isSsrBuild ? { 'process.env.NODE_ENV': '"production"' } : {}) },
  resolve: { alias: [{ find: /^#(?=[a-z])/, replacement: `${import.meta.dirname}/` }] },
  publicDir: isSsrBuild || isAdmin ? false : 'public',
  // Packages are bundled, so that all that call its hooks share one React.
  ...(isSsrBuild ? { ssr: { noExternal: true } } : {}),
  build: isSsrBuild
    ? {
        outDir: join(PAGES_DIR, 'server'),
        ssr: 'site/pages.server.tsx',
        target: 'node24',
        emptyOutDir: true,
        rolldownOptions: { output: SERVER_SOURCE },
      }
    : {
        outDir: join(PAGES_DIR, 'client'),
        emptyOutDir: !isAdmin,
        manifest: isAdmin ? '.vite/manifest-admin.json' : '.vite/manifest.json',
        target: ['chrome93', 'safari15.4', 'firefox98'],
        assetsInlineLimit: 0,
        modulePreload: { polyfill: false },
        rolldownOptions: {
          // A number that two files share is written into both: an import of it takes more bytes.
          optimization: { inlineConst: true },
          input: Object.fromEntries([
            ...pagesOf(isAdmin ? 'admin' : 'shop').map(
              (file) => [pageName(file).replaceAll('/', '-'), PAGE_PREFIX + pageName(file)] as const,
            ),
            ...LANGS.flatMap((lang): [string, string][] =>
              isAdmin
                ? [[`messages-${lang}-admin`, `messages/${lang}-admin.ts`]]
                : MESSAGE_SETS.map((set) => [`messages-${lang}-${set}`, `${TEXTS_PREFIX}${lang}/${set}`]),
            ),
            isAdmin ? (['pos-worker', 'site/pos/worker/pos-worker.ts'] as const) : (['analytics', 'site/analytics/analytics.ts'] as const),
          ]),
          output: {
            codeSplitting: {
              groups: CHUNKS,
            },
          },
        },
      },
  // The scan of dependencies, of `npm run dev`, resolves no entry of the build.
  optimizeDeps: { entries: ['site/**/*.page.tsx', 'site/hydrate.tsx'] },
  server: { middlewareMode: true },
})
