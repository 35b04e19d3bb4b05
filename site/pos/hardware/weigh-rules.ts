import type { PosLine } from '#features/pos/rules.ts'
import type { PosScale } from './use-scale.ts'
import { isScaleEmpty, quantityOf } from './scale-rules.ts'

type Weighable = Pick<PosLine, 'id' | 'unit' | 'isAnimal' | 'sizesMilli'>

/** The lines that a counter scale weighs: products by the kilogram, no animals, and no packs, whose weight is their size. */
export const weighableLines = <Line extends Weighable>(lines: readonly Line[]): Line[] =>
  lines.filter(({ unit, isAnimal, sizesMilli = [] }) => unit === 'kg' && !isAnimal && sizesMilli.length === 0)

/** The line that gets the weight: the chosen one, else the one added last, else the newest. */
export function lineToWeigh<Line extends Weighable>(lines: readonly Line[], chosen: number | null, last: number | null): Line | null {
  const weighable = weighableLines(lines)
  const find = (id: number | null) => weighable.find((line) => line.id === id)
  return find(chosen) ?? find(last) ?? weighable.at(-1) ?? null
}

export type WeighProblem = 'no-line' | 'no-weight' | 'unstable' | 'nothing' | 'not-emptied'

/** A line of a sale. The same product in the next sale is another one. */
export interface WeighedLine {
  id: number
  saleKey: string
}

/**
 * The quantity to take, or why there is none. `weighed` is the line that took the weight that still lies on the scale: another line does
 * not get the same weight again.
 */
export function weighing(
  { status, view }: PosScale,
  line: WeighedLine | null,
  weighed: WeighedLine | null,
): { ok: true; quantity: string } | { ok: false; problem: WeighProblem } {
  if (line === null) return { ok: false, problem: 'no-line' }
  if (status !== 'connected' || view?.kind !== 'weight') return { ok: false, problem: 'no-weight' }
  const { grams, isStable } = view.weight
  const quantity = quantityOf(grams)
  if (quantity === null) return { ok: false, problem: 'nothing' }
  if (!isStable) return { ok: false, problem: 'unstable' }
  if (weighed && (weighed.id !== line.id || weighed.saleKey !== line.saleKey)) return { ok: false, problem: 'not-emptied' }
  return { ok: true, quantity }
}

/** Whether the weight was taken off the scale. Below zero the tared container went with it. */
export const isTakenOff = ({ view }: PosScale): boolean => view?.kind === 'weight' && isScaleEmpty(view.weight.grams)
