// Rules of a counter scale on a serial line: lines, weights, and when a weight is stable.
//
// A scale sends ASCII lines, continuously or one per request. Three forms are read:
//   ST,GS,+  1.234kg   (A&D, CAS, and most indicators) ST stable, US unstable, OL overload, then GS gross, NT net, TR tare
//   S S     1.234 kg   (Mettler-Toledo SICS) S stable, D unstable, + overload, - underload, I not now
//   +  1.234 kg        (plain) without a mark: stable when the weight stays the same
// NCI answers a request with a plain weight and a second line, its status: S00.
// A line that is not wholly one of these is unreadable; no weight is guessed from a part of it.

import type { ScaleSettings } from './device-settings.ts'

export const WEIGHT_UNITS = ['kg', 'g', 'lb'] as const
export type WeightUnit = (typeof WEIGHT_UNITS)[number]

const GRAMS: Record<WeightUnit, number> = { kg: 1000, g: 1, lb: 453.592_37 }
/** No counter scale weighs more: a larger value is a broken line. */
const MAX_GRAMS = 1_000_000
/** The smallest step of a quantity at the POS, in grams. */
const STEP_GRAMS = 10

export type ScaleReading =
  | { kind: 'weight'; grams: number; /** Null: the scale does not tell. */ isStable: boolean | null }
  | { kind: 'overload' | 'underload' | 'busy' | 'tare' | 'wrong-unit' | 'unreadable' }

const UNREADABLE: ScaleReading = { kind: 'unreadable' }
const MARKED = /^(ST|US|OL|UL)\s*,\s*(?:(GS|NT|TR|G|N|T)\s*,\s*)?(.*)$/i
const SICS = /^(?:S|SI)\s+([SDI+-])(?:\s+(.*))?$/
/** Sign, digits with an optional point, unit. */
const WEIGHT = /^([+-]?)\s*(\d{1,7}(?:\.\d{1,5})?)\s*([a-z%]{0,3})$/i

/** Reads one line. `unitless`: the unit of a scale that sends none; null refuses lines without a unit. */
export function readScaleLine(line: string, unitless: WeightUnit | null = null): ScaleReading {
  const text = line.trim()
  const marked = MARKED.exec(text)
  if (marked) return readMarked(marked[1]!.toUpperCase(), marked[2]?.toUpperCase() ?? '', marked[3]!, unitless)
  const sics = SICS.exec(text)
  if (sics) return readSics(sics[1]!, sics[2] ?? '', unitless)
  return readWeight(text, null, unitless)
}

function readMarked(state: string, kind: string, value: string, unitless: WeightUnit | null): ScaleReading {
  if (state === 'OL') return { kind: 'overload' }
  if (state === 'UL') return { kind: 'underload' }
  if (kind.startsWith('T')) return { kind: 'tare' }
  return readWeight(value, state === 'ST', unitless)
}

function readSics(state: string, value: string, unitless: WeightUnit | null): ScaleReading {
  if (state === '+') return { kind: 'overload' }
  if (state === '-') return { kind: 'underload' }
  if (state === 'I') return { kind: 'busy' }
  return readWeight(value, state === 'S', unitless)
}

function readWeight(text: string, isStable: boolean | null, unitless: WeightUnit | null): ScaleReading {
  const [, sign, digits, written] = WEIGHT.exec(text.trim()) ?? []
  if (digits === undefined) return UNREADABLE
  const name = written!.toLowerCase()
  const unit = name === '' ? unitless : WEIGHT_UNITS.find((one) => one === name || (one === 'lb' && name === 'lbs'))
  if (unit === null) return UNREADABLE
  if (unit === undefined) return { kind: 'wrong-unit' }
  const grams = Math.round(Number(digits) * GRAMS[unit])
  if (grams > MAX_GRAMS) return UNREADABLE
  // Zero has no sign: `-0` is not equal to `0` in every comparison.
  return { kind: 'weight', grams: sign === '-' && grams > 0 ? -grams : grams, isStable }
}

/** Status characters of NCI: bits 4 and 5 are set, bit 6 in all but the last. The line begins with an S on some scales. */
const NCI_STATUS = /^(S?)([0-?p-\x7f])([0-?p-\x7f])[0-?p-\x7f]?$/
const [IN_MOTION, UNDER, OVER] = [1, 1, 2]

/** The reading of a weight whose status came after it. */
function withStatus(weight: ScaleReading, [first, second]: [string, string]): ScaleReading {
  if (weight.kind !== 'weight') return weight
  if (second.charCodeAt(0) & OVER) return { kind: 'overload' }
  if (second.charCodeAt(0) & UNDER) return { kind: 'underload' }
  return { ...weight, isStable: (first.charCodeAt(0) & IN_MOTION) === 0 }
}

/**
 * Reads the lines of one connection. Null: a line that is no reading by itself. NCI answers with two lines, the weight and its status; a
 * weight without a status is read with the next line.
 */
export function lineReader({ protocol, unitless }: Pick<ScaleSettings, 'protocol' | 'unitless'>): (line: string) => ScaleReading | null {
  if (protocol !== 'W') return (line) => readScaleLine(line, unitless)
  let waiting: ScaleReading | null = null
  return (line) => {
    const status = NCI_STATUS.exec(line.trim())
    const before = waiting
    waiting = null
    // Digits alone may be the weight of a scale without a unit.
    if (status && (status[1] === 'S' || unitless === null)) return before && withStatus(before, [status[2]!, status[3]!])
    const reading = readScaleLine(line, unitless)
    if (reading.kind !== 'weight' || reading.isStable !== null) return reading
    waiting = reading
    return before
  }
}

/** The longest line of a scale, in characters; longer input is noise. */
const MAX_LINE = 64
const isLineEnd = (byte: number) => byte === 0x0a || byte === 0x0d || byte === 0x02 || byte === 0x03

/**
 * Splits bytes into lines at CR, LF, STX and ETX, however they arrive. The bytes before the first line end are dropped: they may be the
 * rest of a line. A line that is too long is dropped up to its end.
 */
export class LineSplitter {
  #line = ''
  #isDropping = true

  push(bytes: Uint8Array): string[] {
    const lines: string[] = []
    for (const byte of bytes) {
      if (isLineEnd(byte)) {
        if (!this.#isDropping && this.#line.trim() !== '') lines.push(this.#line)
        this.#line = ''
        this.#isDropping = false
      } else if (!this.#isDropping) {
        // A byte outside of printable ASCII becomes a character that no form has, so its line is unreadable.
        this.#line += byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '?'
        if (this.#line.length > MAX_LINE) this.#isDropping = true
      }
    }
    return lines
  }
}

/** Equal readings in a row that make a weight stable: a lost byte within a line is not repeated in the next. */
const MARKED_READINGS = 2
const PLAIN_READINGS = 4
/** How long a weight without marks must stay the same, in milliseconds. */
const PLAIN_MS = 600
/** Without a reading for so long, the weight is unknown, in milliseconds. */
export const SILENT_MS = 2000

export interface LiveWeight {
  grams: number
  isStable: boolean
}

/** What the scale shows: a weight, a state without a weight, or null before the first reading. */
export type ScaleView = { kind: 'weight'; weight: LiveWeight } | { kind: 'overload' | 'underload' | 'wrong-unit' | 'unreadable' } | null

/** Follows the readings of one connection. */
export class WeightFollower {
  #grams: number | null = null
  #count = 0
  #since = 0
  #isMarked = false
  #unreadable = 0
  view: ScaleView = null

  /** `at`: the time in milliseconds. */
  add(reading: ScaleReading, at: number): ScaleView {
    if (reading.kind === 'tare' || reading.kind === 'busy') return this.view
    if (reading.kind === 'weight') return this.#addWeight(reading.grams, reading.isStable, at)
    this.#grams = null
    this.#count = 0
    // One broken line is noise: the weight before it is shown as unstable. Several are a wrong speed or format.
    if (reading.kind === 'unreadable' && ++this.#unreadable < 3)
      return (this.view = this.view?.kind === 'weight' ? weightView(this.view.weight.grams, false) : this.view)
    return (this.view = { kind: reading.kind })
  }

  /** A scale that marks its lines always does: a line without a mark is then the end of a torn line. */
  #addWeight(grams: number, isStable: boolean | null, at: number): ScaleView {
    if (isStable === null && this.#isMarked) return this.add(UNREADABLE, at)
    this.#isMarked ||= isStable !== null
    this.#unreadable = 0
    if (isStable === false || grams !== this.#grams) {
      this.#count = 0
      this.#since = at
    }
    this.#grams = isStable === false ? null : grams
    this.#count++
    const isEnough = this.#isMarked ? this.#count >= MARKED_READINGS : this.#count >= PLAIN_READINGS && at - this.#since >= PLAIN_MS
    return (this.view = weightView(grams, isStable !== false && isEnough))
  }
}

const weightView = (grams: number, isStable: boolean): ScaleView => ({ kind: 'weight', weight: { grams, isStable } })

/** Below this weight the scale counts as empty, in grams. */
const EMPTY_GRAMS = 20
export const isScaleEmpty = (grams: number) => grams < EMPTY_GRAMS

/** The weight as a quantity of kilograms with at most two decimals, half up, as on scale labels; null for nothing and below zero. */
export function quantityOf(grams: number): string | null {
  const rounded = Math.round(grams / STEP_GRAMS) * STEP_GRAMS
  return rounded > 0 ? String(rounded / 1000) : null
}
