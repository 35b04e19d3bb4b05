// The list of orders as its address asks for it.
//
// Newest first. Every filter stands in the address, all of them hold together, and what makes no sense is left out. A number is an
// order's or a phone's, a word is an ear tag or a name in either script.
import { latinDigits } from '#lib/format/numbers.ts'
import { phoneRange } from '#lib/format/phone.ts'
import { sanitizeText, isStorable } from '#lib/format/text.ts'
import { isDay } from '#lib/format/time.ts'
import { ORDER_STATUSES, type OrderStatus } from '../rules.ts'
import { ORDER_SOURCES, type OrderSource } from '../types.ts'

/** As many invoices are printed at once; a list of more is printed in parts. */
export const MAX_PRINTED = 100

export interface OrderFilter {
  status: OrderStatus | null
  userId: number | null
  /** Days of ordering in Dhaka, both included. */
  from: string | null
  to: string | null
  areaId: number | null
  /** Money still to come; or too much of it, or of an order that has ended. */
  due: 'yes' | 'refund' | null
  source: OrderSource | null
  /** The day it goes out. */
  listOn: string | null
  /** The day by which it should have come and has not. */
  lateOn: string | null
  /** Still to go out: neither delivered nor over, and waiting for no payment. */
  open: boolean
  /** Flagged for the staff. */
  attention: boolean
  search: OrderSearch | null
}

/** What was typed into the search box, read. */
export type OrderSearch =
  | { by: 'number'; id: number; tag: string }
  | { by: 'phone'; from: string; to: string }
  | { by: 'words'; text: string; tag: string | null }

/** Reads the filters of an address; what cannot be used is left out. */
export function readOrderFilter(query: Record<string, string | undefined>): OrderFilter {
  return {
    status: ORDER_STATUSES.find((status) => status === query.status) ?? null,
    userId: wholeNumber(query.user_id),
    from: day(query.from),
    to: day(query.to),
    areaId: wholeNumber(query.area_id, 9),
    due: query.due === 'yes' || query.due === 'refund' ? query.due : null,
    source: ORDER_SOURCES.find((source) => source === query.source) ?? null,
    listOn: day(query.list_on),
    lateOn: day(query.late_on),
    open: query.open === '1',
    attention: query.attention === '1',
    search: readSearch(query.q),
  }
}

function wholeNumber(text: string | undefined, digits = 15): number | null {
  return text !== undefined && text.length <= digits && /^[1-9]\d*$/.test(text) ? Number(text) : null
}

function day(text: string | undefined): string | null {
  return text !== undefined && isDay(text) ? text : null
}

/** What a typed text looks for; null when there is nothing to look for. */
export function readSearch(typed: string | undefined): OrderSearch | null {
  if (typed === undefined || !isStorable(typed)) return null
  const text = latinDigits(sanitizeText(typed)).slice(0, 100)
  const number = /^#?([1-9]\d{0,11})$/.exec(text)?.[1]
  if (number !== undefined && !(number.length === 10 && number.startsWith('1'))) return { by: 'number', id: Number(number), tag: number }
  const phone = phoneRange(text)
  if (phone) return { by: 'phone', ...phone }
  if (text === '') return null
  return { by: 'words', text, tag: /^[0-9A-Za-z-]{1,20}$/.test(text) ? text.toUpperCase() : null }
}

/** So few of a thousand orders that reading them all costs less than the index takes for a common name. */
const RARE = 0.002

/**
 * Of the beginnings of names that are all looked for those to ask the index for: it reads every order of each before it knows
 * which have all. Where only few can have one of them, that one; else all. `common` says what part of the orders has a sound.
 */
export function rareNames(names: readonly string[], common: ReadonlyMap<string, number>): readonly string[] {
  if (common.size === 0) return names
  const partOf = (name: string) => [...common].reduce((sum, [sound, part]) => (sound.startsWith(name) ? sum + part : sum), 0)
  const [rarest] = names.map((name) => ({ name, part: partOf(name) })).toSorted((a, b) => a.part - b.part)
  return rarest && rarest.part <= RARE ? [rarest.name] : names
}
