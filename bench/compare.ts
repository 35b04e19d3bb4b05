import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { load, type LoadResult, addStatuses } from './load.ts'

/** A server and the requests that it gets. */
export interface Contender {
  url: string
  pid: number
  next: () => string
}

export interface Measured {
  rates: number[]
  /** CPU time of the process for one response, in microseconds; null where the system does not report it. */
  cpuMicros: number[]
  p50: number[]
  p99: number[]
  statuses: Record<number, number>
}

const ROUNDS = 7
const ROUND_MS = 2_000
const WARM_UP_MS = 1_500

/** Measures several contenders in turns (A B A B …), so that other load affects all of them alike. */
export async function inTurns<Names extends string>(
  contenders: Record<Names, Contender>,
  rounds = ROUNDS,
  ms = ROUND_MS,
): Promise<Record<Names, Measured>> {
  const names = Object.keys(contenders) as Names[]
  const measured = Object.fromEntries(
    names.map((name) => [name, { rates: [], cpuMicros: [], p50: [], p99: [], statuses: {} }]),
  ) as unknown as Record<Names, Measured>
  for (const name of names) await load({ ...contenders[name], ms: WARM_UP_MS })
  for (let round = 0; round < rounds; round++) {
    for (const name of names) add(measured[name], await oneRound(contenders[name], ms))
    await sleep(50)
  }
  return measured
}

async function oneRound(contender: Contender, ms: number): Promise<LoadResult & { cpuMicros: number | null }> {
  const before = cpuSeconds(contender.pid)
  const result = await load({ ...contender, ms })
  const after = cpuSeconds(contender.pid)
  return { ...result, cpuMicros: before === null || after === null ? null : ((after - before) * 1e6) / result.count }
}

function add(sum: Measured, result: LoadResult & { cpuMicros: number | null }): void {
  sum.rates.push(result.rate)
  sum.p50.push(result.p50)
  sum.p99.push(result.p99)
  if (result.cpuMicros !== null) sum.cpuMicros.push(result.cpuMicros)
  addStatuses(sum.statuses, result)
}

/** The CPU time of a process so far (Linux). */
export function cpuSeconds(pid: number): number | null {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return (Number(fields[11]) + Number(fields[12])) / 100
  } catch {
    return null
  }
}

/** Resident memory of a process in MiB (Linux). */
export function residentMiB(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
}

export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? (sorted[middle] ?? NaN) : ((sorted[middle - 1] ?? NaN) + (sorted[middle] ?? NaN)) / 2
}

/** The median of the ratios of rounds that ran next to each other. */
export function medianRatio(ours: readonly number[], theirs: readonly number[]): number {
  return median(ours.map((own, round) => own / (theirs[round] ?? NaN)))
}

/** The median duration of a function in milliseconds, without its first run. */
export async function medianOf(work: () => Promise<unknown>, times = 7): Promise<number> {
  await work()
  const took: number[] = []
  for (let time = 0; time < times; time++) took.push(await timed(work))
  return median(took)
}

/** The duration of a function in milliseconds. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}
