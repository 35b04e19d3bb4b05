import { expect } from 'vitest'

// Random numbers that follow from a seed, so that a failed run can be repeated: GENERATED_SEED repeats it, GENERATED_STEPS makes it longer,
// GENERATED_LOG prints its steps.

const SEED = Number(process.env.GENERATED_SEED ?? 1)

/** The number of steps of a generated test. */
export const stepsOf = (standard: number): number => Number(process.env.GENERATED_STEPS ?? standard)

/** The random choices of one step. */
export class Dice {
  #state: number

  constructor(step: number) {
    this.#state = (SEED * 100_003 + step * 7919) >>> 0
    this.roll()
  }

  /** A number from 0 to below 1 (mulberry32). */
  roll(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  /** A whole number from 0 to below `below`. */
  below(below: number): number {
    return Math.floor(this.roll() * below)
  }

  pick<T>(from: readonly T[]): T {
    return from[this.below(from.length)]!
  }

  chance(percent: number): boolean {
    return this.roll() * 100 < percent
  }
}

/** Fails with seed, step and the steps so far where a check of a step fails. */
export async function inStep(at: number, log: readonly string[], check: () => Promise<void>): Promise<void> {
  try {
    await check()
  } catch (error) {
    const told = error instanceof Error ? error.message : String(error)
    expect.fail(`GENERATED_SEED=${SEED}, step ${at}: ${told}\n${log.slice(-12).join('\n')}`)
  }
}

/** Each name as often as its weight says. */
export function weighted<Name extends string>(weights: Record<Name, number>): Name[] {
  return (Object.keys(weights) as Name[]).flatMap((name) => Array<Name>(weights[name]).fill(name))
}
