import { existsSync, mkdirSync, statSync } from 'node:fs'
import path from 'node:path'

/**
 * Makes a folder and those above it, unless they are there. Node's own `recursive` never ends where the system says that
 * nothing can be made in a folder that exists, as it does in /proc: it goes on making the folder above.
 */
export function makeFolder(folder: string): void {
  try {
    mkdirSync(folder)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST' && statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return
    const above = path.dirname(folder)
    if (code !== 'ENOENT' || existsSync(above)) throw error
    makeFolder(above)
    makeFolder(folder)
  }
}
