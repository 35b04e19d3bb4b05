import { spawn, type ChildProcess } from 'node:child_process'
import { closeSync, fstatSync, openSync, readFileSync, statSync, truncateSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { PROGRAM_ENV } from './cluster.ts'
import type { Identity } from './os-user.ts'
import { DatabaseStartError, explain } from './start-error.ts'
import { watchOver } from './watchdog.ts'

export type ServerLocation = { dataDir: string; pgData: string; socketDir: string; port: number }
export type Postmaster = { pid: number; exited: Promise<void>; stop(): Promise<void> }

/** While it recovers, PostgreSQL writes its progress into its log every ten seconds. */
const MAX_SILENCE_MS = 120_000
const FAST_STOP_MS = 5_000
const IMMEDIATE_STOP_MS = 3_000
const MAX_LOG_BYTES = 5_000_000

/**
 * Starts the server and waits until it answers, for as long as its log grows: a recovery may take minutes on a slow disk, and would begin
 * again at each start. Throws `DatabaseStartError`.
 */
export async function startPostmaster(
  identity: Identity,
  location: ServerLocation,
  {
    settings,
    log,
    maxSilenceMs = MAX_SILENCE_MS,
  }: { settings: Record<string, string>; log: (line: string) => void; maxSilenceMs?: number },
): Promise<Postmaster> {
  const logFile = path.join(location.dataDir, 'postgres.log')
  const logFd = openLog(logFile)
  const logStart = fstatSync(logFd).size
  const { file, args, options } = identity.command(identity.binaries.postgres, location.pgData, flags(location, settings))
  // A session of its own: Ctrl-C reaches the shop, which finishes its requests before it stops the database.
  const child = spawn(file, args, {
    ...options,
    env: PROGRAM_ENV,
    detached: true,
    stdio: ['ignore', logFd, logFd],
  })
  closeSync(logFd)
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.once('error', () => resolve())
  })
  child.unref()
  const tail = () => readFileSync(logFile).subarray(logStart).toString('utf8')
  if (child.pid) void exited.then(watchOver(child.pid))
  await untilReady(child, location, { tail, log, logFile, maxSilenceMs })
  const pid = child.pid as number
  return { pid, exited, stop: () => stopProcess(pid) }
}

/** A TCP port that was free a moment ago. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}

/** Stops the process with increasingly forceful signals. Throws when it survives SIGKILL. */
export async function stopProcess(pid: number): Promise<void> {
  for (const [signal, timeoutMs] of [
    ['SIGINT', FAST_STOP_MS],
    ['SIGQUIT', IMMEDIATE_STOP_MS],
    ['SIGKILL', IMMEDIATE_STOP_MS],
  ] as const) {
    send(pid, signal)
    const deadline = performance.now() + timeoutMs
    while (performance.now() < deadline) {
      if (!isAlive(pid)) return
      await sleep(10)
    }
  }
  throw new DatabaseStartError(`The database process ${pid} does not end; end it and start again.`)
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
  return !isZombie(pid)
}

/** In a container there may be no init process that reaps the children of a killed shop. */
function isZombie(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.startsWith('Z') ?? false
  } catch {
    return false
  }
}

function flags({ socketDir, port }: ServerLocation, settings: Record<string, string>): string[] {
  const given = {
    port: String(port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: socketDir,
    unix_socket_permissions: '0700',
    ...settings,
  }
  return Object.entries(given).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

function openLog(file: string): number {
  const fd = openSync(file, 'a', 0o600)
  if (fstatSync(fd).size > MAX_LOG_BYTES) truncateSync(file)
  return fd
}

async function untilReady(
  child: ChildProcess,
  location: ServerLocation,
  { tail, log, logFile, maxSilenceMs }: { tail: () => string; log: (line: string) => void; logFile: string; maxSilenceMs: number },
): Promise<void> {
  let failure: Error | undefined
  child.once('error', (error) => (failure = error))
  const started = performance.now()
  let notified = false
  let last = { logBytes: 0, at: started }
  while (performance.now() - last.at < maxSilenceMs) {
    if (failure) throw explain(failure.message, location.dataDir)
    if (child.exitCode !== null || child.signalCode !== null) throw explain(tail(), location.dataDir, logFile)
    if (isReady(child.pid, location.pgData)) return
    const { size: logBytes } = statSync(logFile)
    if (logBytes !== last.logBytes) last = { logBytes, at: performance.now() }
    if (!notified && performance.now() - started > 3_000) {
      log('The database is putting itself in order after it was cut off…')
      notified = true
    }
    await sleep(15)
  }
  child.kill('SIGQUIT')
  throw new DatabaseStartError(`The embedded database did not get ready in time (more in ${logFile}).`)
}

/** PostgreSQL writes its state into the eighth line of its pid file. */
function isReady(pid: number | undefined, pgData: string): boolean {
  try {
    const lines = readFileSync(path.join(pgData, 'postmaster.pid'), 'utf8').split('\n')
    return Number(lines[0]) === pid && lines[7]?.trim() === 'ready'
  } catch {
    return false
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
