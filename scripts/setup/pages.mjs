import { createHash, randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { withSetupLock } from './lock.mjs'
import { environment, killedMessage, root, runQuietly, printLine } from './process.mjs'

const SCRIPTS = ['build-pages', 'page-messages', 'precompress', 'purge-css'].map((name) => `scripts/${name}.ts`)
/** All that a build depends on. */
const SOURCES = ['site', 'page', 'components', 'features', 'lib', 'messages', 'public', 'vite.config.ts', 'package-lock.json', ...SCRIPTS]
const dist = path.join(root, 'dist')
const cache = path.join(root, '.cache')
const marker = path.join(dist, '.built-from')
/** Days for which scripts and styles of earlier builds stay: open pages and a running shop still load them. */
const EARLIER_BUILD_DAYS = 30

/**
 * Builds the pages unless dist/ was built from exactly these sources. A build goes to a folder of its own and then into dist/ file by
 * file, so that a running shop always finds its files. Throws what Vite says when it cannot.
 */
export async function ensurePages(node, { always = false } = {}) {
  if (!always && isBuilt()) return
  await withSetupLock(async () => {
    if (always || !isBuilt()) await build(node)
  })
}

function isBuilt() {
  return read(marker) === fingerprint()
}

async function build(node) {
  printLine('Building the pages…')
  const sources = fingerprint()
  for (const name of existsSync(cache) ? readdirSync(cache) : [])
    if (name.startsWith('pages-')) rmSync(path.join(cache, name), { recursive: true, force: true })
  const fresh = path.join(cache, `pages-${randomUUID()}`)
  try {
    const { code, text } = await runQuietly(node, ['--disable-warning=ExperimentalWarning', 'scripts/build-pages.ts'], {
      env: environment(node, { PAGES_DIR: fresh }),
    })
    if (code !== 0) throw new Error(`The pages could not be built:\n${killedMessage(code) ?? text.trim()}`)
    rmSync(marker, { force: true })
    publish(fresh)
    writeFileSync(marker, sources)
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
}

/** Moves a build into dist/: first what others name, then what names it; last goes what it does not have any more. */
function publish(fresh) {
  const files = filesIn(fresh).sort((one, other) => Number(isAsset(other)) - Number(isAsset(one)))
  for (const file of files) {
    mkdirSync(path.dirname(path.join(dist, file)), { recursive: true })
    renameSync(path.join(fresh, file), path.join(dist, file))
  }
  const current = new Set(files)
  const oldest = Date.now() - EARLIER_BUILD_DAYS * 86_400_000
  for (const file of filesIn(dist)) {
    const place = path.join(dist, file)
    if (!current.has(file) && !(isAsset(file) && statSync(place).mtimeMs > oldest)) rmSync(place, { force: true })
  }
}

/** Their names hold a hash of their contents: those of several builds stand side by side. */
function isAsset(file) {
  return file.startsWith(path.join('client', 'assets'))
}

function filesIn(folder) {
  return readdirSync(folder, { recursive: true }).filter((file) => statSync(path.join(folder, file)).isFile())
}

function fingerprint() {
  const hash = createHash('sha256')
  for (const source of SOURCES) {
    for (const file of filesOf(source))
      hash
        .update(file)
        .update('\0')
        .update(readFileSync(path.join(root, file)))
        .update('\0')
  }
  return hash.digest('hex')
}

function filesOf(place) {
  const stat = statSync(path.join(root, place), { throwIfNoEntry: false })
  if (!stat) return []
  if (stat.isFile()) return /\.test\.tsx?$/.test(place) ? [] : [place]
  return readdirSync(path.join(root, place))
    .sort()
    .flatMap((name) => filesOf(`${place}/${name}`))
}

function read(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
