import type { Server } from 'node:http'
import { collectAll } from '#lib/runtime/gc.server.ts'

const LOOK_EVERY_MS = 1_000
const QUIET_MS = 3_000
const AT_MOST_EVERY_MS = 20_000

/**
 * Tidies up when nobody asks for anything: while it is busy the process lets memory grow rather than keep shoppers waiting,
 * and left alone it would hold on to that for hours. Answers a function that stops it.
 */
export function collectGarbageWhenIdle(server: Server): () => Promise<void> {
  let lastRequest = performance.now()
  let lastTidied = -Infinity
  server.on('request', () => (lastRequest = performance.now()))
  const timer = setInterval(() => {
    const now = performance.now()
    if (lastTidied > lastRequest || now - lastRequest < QUIET_MS || now - lastTidied < AT_MOST_EVERY_MS) return
    collectAll()
    lastTidied = performance.now()
  }, LOOK_EVERY_MS)
  timer.unref()
  return async () => clearInterval(timer)
}
