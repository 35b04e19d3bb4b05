// Keys typed in a row, and whether a scanner typed them.
//
// Times are those of the events: when the keys were pressed, however late a busy device delivers them.
import { MIN_SCANNED, SCAN_GAP } from '#features/pos/rules.ts'
import { latinDigits } from '#lib/format/numbers.ts'

/** The maximum mean gap between the keys of a scanner, in milliseconds. */
const SCANNER_GAP = 60
/** The maximum pause inside one scan, in milliseconds: some scanners and busy devices pause. */
const SLOW_SCAN_GAP = 1000
/** From this length on, a burst that ends with Enter is a scan at any speed within `SCAN_GAP`. */
const SURELY_SCANNED = 6
const DIGITS_BEHIND_LETTERS = /\D(\d{6,100})$/

export interface KeyBurst {
  text: string
  began: number
  last: number
}

/** The mean time between the keys in milliseconds; infinite for a single key. */
export function meanGap({ text, began, last }: KeyBurst): number {
  return text.length > 1 ? (last - began) / (text.length - 1) : Infinity
}

/** Whether the keys came at a scanner's speed. */
function hasScannerSpeed(burst: KeyBurst): boolean {
  return burst.text.length >= MIN_SCANNED && meanGap(burst) <= SCANNER_GAP
}

/** Whether a key at this time belongs to the burst: keys at a scanner's speed belong together also after a longer pause. */
export function continuesBurst(burst: KeyBurst | null, now: number): burst is KeyBurst {
  return burst !== null && now - burst.last <= (hasScannerSpeed(burst) ? SLOW_SCAN_GAP : SCAN_GAP)
}

/** The burst with another key; a new one when the key does not continue it. */
export function withKey(burst: KeyBurst | null, key: string, now: number): KeyBurst {
  return continuesBurst(burst, now) ? { ...burst, text: burst.text + key, last: now } : { text: key, began: now, last: now }
}

/** Whether the keys before Enter came at a scanner's speed: where names, numbers and codes are typed, and end with Enter too. */
export function isFastScan(burst: KeyBurst, enterAt: number): boolean {
  return enterAt - burst.last <= SCAN_GAP && hasScannerSpeed(burst)
}

/** Whether the keys before Enter are a scan in a field where no codes are typed. */
export function isScan(burst: KeyBurst | null, enterAt: number): burst is KeyBurst {
  if (burst === null || enterAt - burst.last > SCAN_GAP || burst.text.length < MIN_SCANNED) return false
  return burst.text.length >= SURELY_SCANNED || hasScannerSpeed(burst)
}

/**
 * The code in the scan box when Enter ends it: the whole text, or its last burst where that is a scan behind half-typed letters. Digits
 * behind digits are one code with a pause inside, unless the last ones are a known code. `isKnown` tells whether a product has a code.
 */
export function scannedCode(text: string, burst: KeyBurst | null, isKnown: (code: string) => boolean): string {
  if (burst === null || !text.includes(burst.text) || isKnown(text)) return text
  const code = burst.text
  const isBarcode = hasScannerSpeed(burst) && isDigits(code) && !isDigits(text)
  if (code !== text && (isBarcode || (code.length >= MIN_SCANNED && isKnown(code)))) return code
  const digits = DIGITS_BEHIND_LETTERS.exec(text)?.[1]
  return digits !== undefined && isKnown(digits) ? digits : text
}

const isDigits = (text: string) => /^\d+$/.test(latinDigits(text))
