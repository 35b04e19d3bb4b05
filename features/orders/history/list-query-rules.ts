// Parses the filters of the order list from its URL.
//
// Filters are combined with "and"; invalid values are ignored. A number in the search is an order's or a phone's. A word is an ear tag or a
// name in English or Bengali.
import type { ListSorts } from '#lib/db/keyset.ts'
import { readTypedId } from '#lib/format/id.ts'
import { codeForms } from '#lib/format/latin-code.ts'
import { latinDigits } from '#lib/format/numbers.ts'
import { phoneRange } from '#lib/format/phone.ts'
import { foldText, sanitizeText, isStorable } from '#lib/format/text.ts'
import { isDay } from '#lib/format/time.ts'
import { ORDER_STATUSES, type OrderStatus } from '../rules.ts'
import { MAX_TAG_LENGTH, normalizeTag } from '../tags/tag-rules.ts'
import { ORDER_SOURCES, type OrderSource } from '../types.ts'

/** Maximum invoices of one print view. Longer lists are printed in parts. */
export const MAX_PRINTED = 100

/** The orders of the list. Each has an index, and ends with the id so that equal orders have one place. */
export const ORDER_SORTS = {
  placed: { keys: 2, order: 'desc' },
  number: { keys: 1, order: 'desc' },
  day: { keys: 3, order: 'desc' },
  sum: { keys: 2, order: 'desc' },
} as const satisfies ListSorts<string>
export type OrderSort = keyof typeof ORDER_SORTS

export interface OrderFilter {
  status: OrderStatus | null
  userId: number | null
  /** Days of ordering in Dhaka, both included. */
  from: string | null
  to: string | null
  areaId: number | null
  /** `yes`: money is due. `refund`: a refund is due. */
  due: 'yes' | 'refund' | null
  source: OrderSource | null
  /** A delivery is on this day. */
  listOn: string | null
  /** The delivery date is before this day and has passed. */
  lateOn: string | null
  /** An animal of Kurbani comes after this day. */
  kurbaniAfter: string | null
  /** Expected: not delivered or ended, and waiting for no payment. */
  open: boolean
  /** Flagged for the staff. */
  attention: boolean
  /** A tag in its stored form. */
  tag: string | null
  search: OrderSearch | null
}

/** A parsed search text. `tags`: the ear tags that it may stand for. */
export type OrderSearch =
  | { by: 'number'; id: number; tags: readonly string[] }
  | { by: 'phone'; from: string; to: string }
  | { by: 'words'; text: string; tags: readonly string[] }

/** Parses the filters of a query string. Invalid values become null. */
export function readOrderFilter(query: Record<string, string | undefined>): OrderFilter {
  return {
    status: ORDER_STATUSES.find((status) => status === query.status) ?? null,
    userId: parseWholeNumber(query.user_id),
    from: day(query.from),
    to: day(query.to),
    areaId: parseWholeNumber(query.area_id, 9),
    due: query.due === 'yes' || query.due === 'refund' ? query.due : null,
    source: ORDER_SOURCES.find((source) => source === query.source) ?? null,
    listOn: day(query.list_on),
    lateOn: day(query.late_on),
    kurbaniAfter: day(query.kurbani_after),
    open: query.open === '1',
    attention: query.attention === '1',
    tag: readTag(query.tag),
    search: readSearch(query.q),
  }
}

function parseWholeNumber(text: string | undefined, digits = 15): number | null {
  return text !== undefined && text.length <= digits && /^[1-9]\d*$/.test(text) ? Number(text) : null
}

/** A tag that can exist; null for other texts. */
function readTag(text: string | undefined): string | null {
  if (text === undefined || !isStorable(text)) return null
  const tag = normalizeTag(text)
  return tag !== '' && tag.length <= MAX_TAG_LENGTH ? tag : null
}

function day(text: string | undefined): string | null {
  return text !== undefined && isDay(text) ? text : null
}

/** Parses a search text; null for an empty one. */
export function readSearch(input: string | undefined): OrderSearch | null {
  if (input === undefined || !isStorable(input)) return null
  const text = latinDigits(sanitizeText(input)).slice(0, 100)
  const id = readTypedId(text)
  // Ten digits from 1 on are a phone without its zero, and 880 may stand before it.
  if (id !== null && !/^(880)?1\d{9}$/.test(String(id))) return { by: 'number', id, tags: [String(id)] }
  const phone = phoneRange(text)
  if (phone) return { by: 'phone', ...phone }
  if (text === '') return null
  return { by: 'words', text, tags: readTags(text) }
}

/** The tags that a text may stand for: itself, in Latin letters, and with its hyphen. */
function readTags(text: string): string[] {
  return [text, ...codeForms(foldText(text))].filter((code) => /^[0-9A-Za-z-]{1,20}$/.test(code)).map((code) => code.toUpperCase())
}

/** The share of orders below which a name counts as rare. Reading all its orders then costs less than the index lookup of common names. */
const MAX_RARE_SHARE = 0.002

/**
 * Chooses the name prefixes to look up in the index, which reads every order of each prefix before it intersects them. If one prefix is
 * rare, it alone; else all. `common`: the share of orders that have a sound.
 */
export function rareNames(names: readonly string[], common: ReadonlyMap<string, number>): readonly string[] {
  if (common.size === 0) return names
  const shareOf = (name: string) => [...common].reduce((sum, [sound, share]) => (sound.startsWith(name) ? sum + share : sum), 0)
  const [rarest] = names.map((name) => ({ name, share: shareOf(name) })).toSorted((a, b) => a.share - b.share)
  return rarest && rarest.share <= MAX_RARE_SHARE ? [rarest.name] : names
}
