// Animals side by side: at most three, by their ids in the URL, and stored on the device.

import { ID_DIGITS } from '#lib/format/id.ts'

export const MAX_COMPARED = 3

/** The ids of a URL or of the device (`1,2,3`): the first three that are ids, each once. */
export function parseCompared(text: string | null | undefined): number[] {
  const ids = (text ?? '')
    .slice(0, 500)
    .split(',')
    .filter((one) => ID_DIGITS.test(one))
  return [...new Set(ids.map(Number))].slice(0, MAX_COMPARED)
}

/** The path of the comparison of these animals. */
export function comparePath(ids: readonly number[]): string {
  return ids.length === 0 ? '/compare' : `/compare?ids=${ids.join(',')}`
}

/** The ids after an animal was added or removed; null when there are three already. */
export function toggledCompared(ids: readonly number[], id: number): number[] | null {
  if (ids.includes(id)) return ids.filter((one) => one !== id)
  return ids.length < MAX_COMPARED ? [...ids, id] : null
}

/** The ids of the device without those of the URL that the shop no longer has: they would take places that no page shows. */
export function withoutGone(compared: readonly number[], requested: readonly number[], shown: readonly number[]): number[] {
  return compared.filter((id) => shown.includes(id) || !requested.includes(id))
}
