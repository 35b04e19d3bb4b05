import { z } from 'zod'

const place = z.number({ error: 'field.whole' }).int({ error: 'field.whole' }).min(1, { error: 'field.whole' }).max(1_000_000_000)

/** Body of a new order of a list: every row with its place from 1. */
export const reorderBody = z.strictObject({
  order: z.array(z.strictObject({ id: place, priority: place }), { error: 'field.invalid' }).max(1000),
})

/** The ids in the order wanted; null when it does not name each of the known ones once, at the places 1 to n. */
export function wholeOrder(known: readonly number[], wanted: readonly { id: number; priority: number }[]): number[] | null {
  const after = wanted.toSorted((a, b) => a.priority - b.priority)
  const ids = new Set(after.map(({ id }) => id))
  const isWhole = after.length === known.length && ids.size === known.length && known.every((id) => ids.has(id))
  return isWhole && after.every(({ priority }, index) => priority === index + 1) ? after.map(({ id }) => id) : null
}
