import { accessSync, constants, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { DatabaseStartError, explain, explainThrown } from './start-error.ts'

export type FolderLock = { release(): void }

const SQLITE_BUSY = 5
const SQLITE_FULL = 13

/**
 * Makes this process the only one that uses the folder, or throws the line "already running". A lock held by SQLite
 * is one that the operating system drops when its holder dies, however it dies; a file with a number in it is not.
 */
export function lockFolder(dataDir: string): FolderLock {
  rejectForeignFolder(dataDir)
  const pidFile = path.join(dataDir, 'running')
  const lock = new DatabaseSync(path.join(dataDir, 'lock'), { timeout: 0 })
  try {
    lock.exec('begin exclusive')
    writeFileSync(pidFile, `${process.pid}\n`)
  } catch (error) {
    lock.close()
    throw refusal(error, dataDir, pidFile)
  }
  return {
    release() {
      if (!lock.isOpen) return
      rmSync(pidFile, { force: true })
      lock.close()
    },
  }
}

function refusal(error: unknown, dataDir: string, pidFile: string): unknown {
  switch ((error as { errcode?: number }).errcode) {
    case SQLITE_BUSY:
      return new DatabaseStartError(
        `Khamar is already running on the folder ${dataDir}${holder(pidFile)}; stop it first or choose another DATA_DIR.`,
      )
    case SQLITE_FULL:
      return explain('ENOSPC', dataDir)
    default:
      return explainThrown(error, dataDir)
  }
}

function rejectForeignFolder(dataDir: string): void {
  try {
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch {
    throw new DatabaseStartError(`The folder ${dataDir} cannot be written to by this user; start as its owner or choose another DATA_DIR.`)
  }
}

function holder(pidFile: string): string {
  try {
    return ` (process ${readFileSync(pidFile, 'utf8').trim()})`
  } catch {
    return ''
  }
}
