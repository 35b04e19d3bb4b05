import { median, type Measured } from './compare.ts'

/** A goal and its measured value. */
export interface Finding {
  what: string
  goal: string
  measured: string
  /** Null where there is no goal. */
  reached: boolean | null
}

export const thousands = (n: number) => Math.round(n).toLocaleString('en-US')

/** Rate, times and CPU of a contender, in words. */
export function formatMeasured({ rates, cpuMicros, p50, p99 }: Measured): string {
  const cpu = cpuMicros.length > 0 ? `, CPU ${median(cpuMicros).toFixed(0)} µs each` : ''
  return `${thousands(median(rates))}/s, median ${median(p50).toFixed(1)} ms, p99 ${median(p99).toFixed(1)} ms${cpu}`
}

export function print(findings: readonly Finding[]): void {
  for (const { what, goal, measured, reached } of findings) {
    const mark = reached === null ? '     ' : reached ? 'ok   ' : 'MISS '
    console.log(`${mark}${what}: ${measured}${goal ? `  (goal ${goal})` : ''}`)
  }
}
