import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { root, printLine } from './process.mjs'

const file = path.join(root, '.cache/setup.lock')
const breaking = `${file}.break`

const POLL_MS = 100
const ANNOUNCE_AFTER_MS = 500
/** The holder renews its lock so often; one that is not renewed for so long belongs to a process that is gone. */
const RENEW_MS = 1_000
const LOST_AFTER_MS = 10_000

/** The ids of the locks that this process holds. */
const held = new Set()

/**
 * Runs `work` while no other process sets up the same folder. The lock is a file with the holder's process id; waiters take it over
 * when that process has ended, or when the file is no longer renewed (another machine, a reused process id).
 */
export async function withSetupLock(work) {
  const release = await acquire()
  try {
    return await work()
  } finally {
    release()
  }
}

async function acquire() {
  const own = { pid: process.pid, host: hostname(), id: randomUUID() }
  let waited = 0
  let isAnnounced = false
  let last = { renewedAt: 0, waitedSince: 0 }
  for (;;) {
    const taken = take(own)
    if (taken === 'taken') return hold(own)
    // A folder that cannot be written needs no lock: the work itself fails with its reason.
    if (taken === 'impossible') return () => {}
    const holder = readHolder()
    if (holder) {
      if (holder.renewedAt !== last.renewedAt) last = { renewedAt: holder.renewedAt, waitedSince: waited }
      if (hasEnded(holder) || waited - last.waitedSince > LOST_AFTER_MS) {
        breakLock(holder)
        continue
      }
      if (!isAnnounced && waited >= ANNOUNCE_AFTER_MS) {
        printLine(`Another start is setting up (process ${holder.pid ?? 'unknown'}); waiting for it…`)
        isAnnounced = true
      }
    }
    await sleep(POLL_MS)
    waited += POLL_MS
  }
}

function take(own) {
  try {
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, JSON.stringify(own), { flag: 'wx' })
    return 'taken'
  } catch (error) {
    return error.code === 'EEXIST' ? 'held' : 'impossible'
  }
}

function hold(own) {
  held.add(own.id)
  const timer = setInterval(() => {
    if (readHolder()?.id === own.id) renew()
  }, RENEW_MS)
  timer.unref()
  return () => {
    clearInterval(timer)
    held.delete(own.id)
    if (readHolder()?.id === own.id) rmSync(file, { force: true })
  }
}

function renew() {
  try {
    utimesSync(file, new Date(), new Date())
  } catch {
    // Released meanwhile.
  }
}

/** The holder and its last renewal; a file without contents is a lock that is just being written. Null when the lock is free. */
function readHolder() {
  try {
    const { mtimeMs } = statSync(file)
    return { renewedAt: mtimeMs, ...parse(readFileSync(file, 'utf8')) }
  } catch {
    return null
  }
}

function parse(text) {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

function hasEnded({ pid, host, id }) {
  if (pid === undefined || host !== hostname()) return false
  // An earlier process had the number of this one.
  if (pid === process.pid) return !held.has(id)
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return error.code === 'ESRCH'
  }
}

/** Removes the lock if it still has the same holder. One waiter at a time compares and removes, so that no new lock is removed. */
function breakLock({ id, renewedAt }) {
  try {
    writeFileSync(breaking, '', { flag: 'wx' })
  } catch {
    if (Date.now() - (statSync(breaking, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()) > LOST_AFTER_MS)
      rmSync(breaking, { force: true })
    return
  }
  const holder = readHolder()
  if (holder && holder.id === id && holder.renewedAt === renewedAt) rmSync(file, { force: true })
  rmSync(breaking, { force: true })
}
