import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

// npm that adds a package to installed ones can drop those of other systems from the lock file. The shop then cannot start there.

type Locked = Record<string, { optionalDependencies?: Record<string, string> }>

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Locked }

/** Whether Node would find the package from the folder: there, or in a folder above. */
function isLocked(folder: string, name: string): boolean {
  if (`${folder === '' ? '' : `${folder}/`}node_modules/${name}` in packages) return true
  return folder !== '' && isLocked(folder.slice(0, Math.max(0, folder.lastIndexOf('node_modules/') - 1)), name)
}

it('the lock file has the packages of every operating system and processor', () => {
  const missing = Object.entries(packages).flatMap(([folder, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter((name) => !isLocked(folder, name)),
  )
  expect(missing).toEqual([])
})
