// All tuning of the process's memory.
//
// Why: the shop runs on small machines beside its database. The goal is at most 180 MB at rest, and a process under load must not
// spend its time in full garbage collections.
// How it is measured: `npm run bench -- memory` (resident memory at rest) and `npm run bench -- orders` (orders a second).
// When it is removed: everything works, with longer pauses and more memory. Measured in docs/decisions/0017-keep-request-state-short-lived.md.
import type { Server } from 'node:http'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Turns allocation-site pretenuring off; call it before anything is loaded. V8 records where long-lived objects are allocated.
 * After loading the product index it takes all database rows for long-lived, and allocates the rows of every request in old space.
 */
export function setV8Flags(): void {
  setFlagsFromString('--no-allocation-site-pretenuring')
}

type Collect = (options: { type: 'minor' | 'major'; execution: 'sync'; flavor?: 'last-resort' }) => void
let collect: Collect | undefined

function collector(): Collect {
  if (!collect) {
    setFlagsFromString('--expose-gc')
    collect = runInNewContext('gc') as Collect
  }
  return collect
}

/** Collects the young generation, in about a millisecond, so that V8 does not enlarge it. */
export function minorGc(): void {
  collector()({ type: 'minor', execution: 'sync' })
}

/** Collects everything and returns the young generation's reserve to the system, which is most of it. */
export function majorGc(): void {
  collector()({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}

const IDLE_CHECK_MS = 1_000
const IDLE_AFTER_MS = 3_000
const MIN_MS_BETWEEN_COLLECTIONS = 20_000

/**
 * Runs a full collection when no request has come for 3 seconds. A busy process grows its heap rather than delay requests, and V8
 * keeps that heap for hours. Returns a stop function.
 */
export function collectGarbageWhenIdle(server: Server): () => Promise<void> {
  let lastRequest = performance.now()
  let lastCollection = -Infinity
  server.on('request', () => (lastRequest = performance.now()))
  const timer = setInterval(() => {
    const now = performance.now()
    const isBusy = now - lastRequest < IDLE_AFTER_MS
    if (lastCollection > lastRequest || isBusy || now - lastCollection < MIN_MS_BETWEEN_COLLECTIONS) return
    majorGc()
    lastCollection = performance.now()
  }, IDLE_CHECK_MS)
  timer.unref()
  return async () => clearInterval(timer)
}

/** Rows a database cursor fetches at a time, and fetches between two minor collections. Larger ones grow the young generation by tens of megabytes. */
export const CURSOR_ROWS = 100
export const CURSOR_FETCHES_PER_GC = 10

const MIN_OUTPUT_CHUNK = 512
const MAX_OUTPUT_CHUNK = 16 * 1024

/**
 * The buffer size for compressing a body. zlib's default of 16 KB a response forces a full collection every few hundred responses, and a
 * cached response holds its whole buffer.
 */
export function outputChunkSize(bodyBytes: number): number {
  return Math.max(MIN_OUTPUT_CHUNK, Math.min(MAX_OUTPUT_CHUNK, bodyBytes >> 2))
}
