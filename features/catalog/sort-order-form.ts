import { z } from 'zod'

const positiveInteger = z.number({ error: 'field.whole' }).int({ error: 'field.whole' }).min(1, { error: 'field.whole' }).max(1_000_000_000)

/** Body of a new order of a list: every row with its priority from 1. */
export const reorderBody = z.strictObject({
  order: z.array(z.strictObject({ id: positiveInteger, priority: positiveInteger }), { error: 'field.invalid' }).max(1000),
})

/** The ids in the new order; null when the input does not have each known id once with priorities 1 to n. */
export function wholeOrder(known: readonly number[], input: readonly { id: number; priority: number }[]): number[] | null {
  const sorted = input.toSorted((a, b) => a.priority - b.priority)
  const ids = new Set(sorted.map(({ id }) => id))
  const isWhole = sorted.length === known.length && ids.size === known.length && known.every((id) => ids.has(id))
  return isWhole && sorted.every(({ priority }, index) => priority === index + 1) ? sorted.map(({ id }) => id) : null
}
