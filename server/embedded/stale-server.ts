import { existsSync, readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { stopProcess } from './postmaster.ts'

const CHILD_EXIT_TIMEOUT_MS = 5_000

/**
 * Cleans up after a killed shop: stops a server that still runs in `pgData`, and deletes a pid file whose
 * number meanwhile belongs to a stranger or a zombie (PostgreSQL would refuse to start). Only for the holder of the
 * folder's lock. Where there is no /proc to look at, PostgreSQL's own, more careful, check has to do.
 */
export async function clearLeftOver(pgData: string, log: (line: string) => void): Promise<void> {
  const pidFile = path.join(pgData, 'postmaster.pid')
  const pid = readPid(pidFile)
  if (pid === null || process.platform !== 'linux') return
  if (workingFolder(pid) === realpathSync(pgData)) {
    log('Stopping the database of an earlier start…')
    await stopProcess(pid)
  }
  if (!existsSync(pidFile) || !(await waitUntilUnused(pgData))) return
  if (existsSync(`/proc/${pid}`)) await rm(pidFile, { force: true })
}

function readPid(pidFile: string): number | null {
  try {
    const pid = Number.parseInt(readFileSync(pidFile, 'utf8'), 10)
    return pid > 0 ? pid : null
  } catch {
    return null
  }
}

/** Null for a zombie, for a process that has ended, and for one we may not look at. */
function workingFolder(pid: number | string): string | null {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return null
  }
}

/** Waits for the child processes of a killed server; false after the timeout. */
async function waitUntilUnused(folder: string): Promise<boolean> {
  const deadline = performance.now() + CHILD_EXIT_TIMEOUT_MS
  while (hasProcesses(folder)) {
    if (performance.now() > deadline) return false
    await sleep(25)
  }
  return true
}

function hasProcesses(folder: string): boolean {
  const real = realpathSync(folder)
  return readdirSync('/proc').some((name) => /^\d+$/.test(name) && workingFolder(name) === real)
}
