import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { environment, root, runQuietly, tell } from './process.mjs'

const SOURCES = ['site', 'components', 'features', 'lib', 'messages', 'public', 'vite.config.ts', 'package-lock.json']
const marker = path.join(root, 'dist/.built-from')

/** Builds the pages unless dist/ was built from exactly these sources. Throws what Vite says when it cannot. */
export async function ensurePages(node, { always = false } = {}) {
  const sources = fingerprint()
  if (!always && read(marker) === sources) return
  tell('Building the pages…')
  rmSync(marker, { force: true })
  const { code, text } = await runQuietly(node, ['--disable-warning=ExperimentalWarning', 'scripts/build-pages.ts'], {
    env: environment(node),
  })
  if (code !== 0) throw new Error(`The pages could not be built:\n${text.trim()}`)
  writeFileSync(marker, sources)
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
