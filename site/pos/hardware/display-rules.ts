// What the customer display shows. The POS pages of this browser send messages; the display chooses which sale to show.
import { type PosLine, posLineTotal, lineQuantity } from '#features/pos/rules.ts'
import type { Unit } from '#features/catalog/types.ts'
import type { Poisha } from '#lib/format/money.ts'

/** The sale as the customer sees it. */
export interface DisplayedSale {
  /** The newest lines, oldest first. */
  lines: { id: number; name: string; unit: Unit; quantityMilli: number; total: Poisha }[]
  /** How many lines the sale has. */
  lineCount: number
  discount: Poisha
  /** The code of the coupon that gives the discount; null without one. */
  coupon: string | null
  shipping: Poisha
  total: Poisha
  /** What an exchange pays back. */
  refund: Poisha
  /** What returned products pay in an exchange; it is no part of the total. Absent in messages of an earlier release, like the next two. */
  credit?: Poisha | undefined
  /** The parts of the total that are not paid in money. */
  storeCredit?: Poisha | undefined
  onAccount?: Poisha | undefined
  received: Poisha
  change: Poisha
}

/** `tab` is a page load of the POS; `at` is when the sale changed last, in milliseconds. */
export type DisplayMessage =
  /** A display was opened: each POS page sends its sale. */
  | { version: 1; kind: 'hello' }
  | { version: 1; kind: 'sale' | 'sold'; tab: string; at: number; sale: DisplayedSale }
  /** The POS page is gone. */
  | { version: 1; kind: 'closed'; tab: string }

export interface DisplayState {
  phase: 'idle' | 'sale' | 'sold'
  tab: string | null
  at: number
  sale: DisplayedSale | null
}

export const IDLE: DisplayState = { phase: 'idle', tab: null, at: 0, sale: null }
/** How long thanks and change are shown, unless the next sale begins, in milliseconds. */
export const THANKS_MS = 30_000
const MAX_LINES = 30

/** A message of another release of the page is null. */
export function readDisplayMessage(data: unknown): DisplayMessage | null {
  return (data as Partial<DisplayMessage> | null)?.version === 1 ? (data as DisplayMessage) : null
}

export function nextDisplay(state: DisplayState, message: DisplayMessage | { kind: 'timeout' }): DisplayState {
  if (message.kind === 'hello') return state
  if (message.kind === 'timeout') return state.phase === 'sold' ? IDLE : state
  if (message.kind === 'closed') return state.tab === message.tab && state.phase === 'sale' ? IDLE : state
  const { kind: phase, tab, at, sale } = message
  if (phase === 'sold') return { phase, tab, at, sale }
  const isCurrent = tab === state.tab
  // Thanks stay while the next sale is empty.
  if (sale.lineCount === 0) return isCurrent && state.phase === 'sale' ? IDLE : state
  // Of several POS pages the one that changed last is shown.
  return isCurrent || state.phase === 'idle' || at >= state.at ? { phase, tab, at, sale } : state
}

type SaleSums = Omit<DisplayedSale, 'lines' | 'lineCount'>

export function toDisplayedSale(lines: readonly PosLine[], sums: SaleSums): DisplayedSale {
  const shown = lines.slice(-MAX_LINES).map((line) => ({
    id: line.id,
    name: line.name,
    unit: line.unit,
    quantityMilli: lineQuantity(line) ?? 0,
    total: posLineTotal(line),
  }))
  return { lines: shown, lineCount: lines.length, ...sums }
}
