import { cpSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { NEEDED } from '../setup/node.mjs'
import { root } from '../setup/process.mjs'

/** Sources that the server runs as they are. Pages (`.tsx`) come from dist/. */
export const SOURCES = ['server', 'site', 'features', 'page', 'components', 'lib', 'messages', 'dev', 'db']
const SCRIPTS = ['owner', 'demo-clear', 'shop']
const FILES = ['LICENSE', 'CHANGELOG.md', 'public/logo.png']
/** Its presence tells server/main.mjs to write nothing into this folder. */
const MARKER = 'build.json'

const IS_SOURCE = /\.(ts|mjs|json|sql|txt|avif|webp|jpe?g|png|mp4|csv)$/
const IS_TEST = /\.(test|e2e)\.ts$|\/(testing|test-data)\//

/**
 * Replaces the folder: the server's sources without tests, the built pages, and a package.json with a lockfile that name the
 * production packages alone. Refuses a folder with other contents.
 */
export function writeServerFolder(target) {
  if (`${root}${path.sep}`.startsWith(path.join(target, path.sep))) throw new Error(`${target} contains the project itself.`)
  const present = statSync(target, { throwIfNoEntry: false })
  // It names the folder from which the shop runs.
  if (lstatSync(target, { throwIfNoEntry: false })?.isSymbolicLink())
    throw new Error(`${target} is a link: name a new folder, and change the link afterwards.`)
  if (present && !present.isDirectory()) throw new Error(`${target} is a file.`)
  if (present && readdirSync(target).length > 0 && !existsSync(path.join(target, MARKER)))
    throw new Error(`${target} is not empty, and was not written by npm run build.`)
  rmSync(target, { recursive: true, force: true })
  mkdirSync(target, { recursive: true })
  const own = readJson('package.json')
  // First: an interrupted build is replaced by the next one.
  writeJson(target, MARKER, { version: own.version })
  for (const folder of SOURCES) copySources(folder, target)
  for (const name of SCRIPTS) {
    copySources(`scripts/${name}`, target)
    if (existsSync(path.join(root, `scripts/${name}.ts`))) copy(`scripts/${name}.ts`, target)
  }
  for (const file of FILES) copy(file, target)
  copy('dist', target)
  writeJson(target, 'package.json', productionPackage(own))
  writeJson(target, 'package-lock.json', productionLock(readJson('package-lock.json')))
}

function copySources(folder, target) {
  const files = existsSync(path.join(root, folder)) ? readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true }) : []
  for (const entry of files) {
    const file = path.relative(root, path.join(entry.parentPath, entry.name)).split(path.sep).join('/')
    if (entry.isFile() && IS_SOURCE.test(file) && !IS_TEST.test(file)) copy(file, target)
  }
}

function copy(file, target) {
  cpSync(path.join(root, file), path.join(target, file), { recursive: true })
}

/** With exec npm hands signals to the shop; the shell between them would end alone. */
const RUN = 'exec node --disable-warning=ExperimentalWarning'

function productionPackage({ scripts: _scripts, devDependencies: _devDependencies, ...own }) {
  const scripts = SCRIPTS.filter((name) => existsSync(path.join(root, `scripts/${name}.ts`)))
  const commands = scripts.map((name) => [name, `${RUN} scripts/${name}.ts`])
  return {
    ...own,
    engines: { node: `>=${NEEDED}` },
    scripts: { start: `${RUN} server/main.mjs`, ...Object.fromEntries(commands) },
  }
}

/** The lockfile without what only development needs. */
function productionLock({ packages, ...lock }) {
  const needed = Object.entries(packages).filter(([, { dev }]) => !dev)
  const entries = needed.map(([place, entry]) => [place, place === '' ? { ...entry, devDependencies: undefined } : entry])
  return { ...lock, packages: Object.fromEntries(entries) }
}

function readJson(file) {
  return JSON.parse(readFileSync(path.join(root, file), 'utf8'))
}

function writeJson(target, file, value) {
  writeFileSync(path.join(target, file), `${JSON.stringify(value, null, 2)}\n`)
}
