import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { withSetupLock } from './lock.mjs'
import { npm } from './npm.mjs'
import { root, printLine } from './process.mjs'

const lockfile = path.join(root, 'package-lock.json')
const npmsOwnList = path.join(root, 'node_modules/.package-lock.json')
const marker = path.join(root, 'node_modules/.khamar-installed')

/** Installs the packages of package-lock.json unless exactly those are there already. */
export async function ensurePackages(node) {
  const needed = fingerprint()
  if (read(marker) === needed) return
  if (!isInstalled())
    await withSetupLock(async () => {
      if (!isInstalled()) await install(node)
    })
  try {
    writeFileSync(marker, needed)
  } catch {
    // The folder belongs to another user. Without the marker each start compares again, which is only slower.
  }
}

async function install(node) {
  printLine('Installing packages (this can take a minute)…')
  // npm takes the remains of an interrupted install for complete packages.
  if (!read(npmsOwnList)) rmSync(path.join(root, 'node_modules'), { recursive: true, force: true })
  // Not `npm ci`: it refuses a lockfile without the packages of every platform, which not every registry has.
  await npm(node, ['install', '--no-save', '--include=dev', '--include=optional'])
}

function fingerprint() {
  return createHash('sha256').update(readFileSync(lockfile)).update(`${process.platform}-${process.arch}`).digest('hex')
}

/** Whether all packages are installed. npm writes its own list last, so that an interrupted install has none. */
function isInstalled() {
  const installed = packagesOf(npmsOwnList)
  if (!installed) return false
  return Object.entries(packagesOf(lockfile)).every(([place, { version, optional }]) => {
    if (place === '') return true
    const found = installed[place]
    return found ? found.version === version && existsSync(path.join(root, place)) : Boolean(optional)
  })
}

function packagesOf(file) {
  const text = read(file)
  return text ? JSON.parse(text).packages : undefined
}

function read(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
