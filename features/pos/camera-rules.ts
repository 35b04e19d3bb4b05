// A camera reads the same code in every picture. A code counts once, and again after a second out of sight or after another code.
// Between two codes lies the scan lock.
import { SCAN_LOCK } from './rules.ts'

const OUT_OF_SIGHT_MS = 1000
/** Pictures without a code before it can count again. A slow phone takes more than a second for each, and one may be blurred. */
const MIN_MISSED = 2
/** A little longer than the lock, which the screen lifts with a delay. */
const MIN_GAP_MS = SCAN_LOCK + 100

/** The last accepted code; times in milliseconds of one clock. */
export interface LastScan {
  code: string
  /** When a picture contained it last. */
  seenAt: number
  /** When it was accepted. */
  acceptedAt: number
  /** Pictures without it since. */
  missed: number
}

/** The code of a picture that counts now, or null, and the next state. */
export function acceptCode(
  previous: LastScan | null,
  codes: readonly string[],
  now: number,
): { accepted: string | null; last: LastScan | null } {
  const isVisible = previous !== null && codes.includes(previous.code)
  const wasAway = previous !== null && previous.missed >= MIN_MISSED && now - previous.seenAt > OUT_OF_SIGHT_MS
  if (previous && isVisible && !wasAway) return { accepted: null, last: { ...previous, seenAt: now, missed: 0 } }
  const code = codes[0]
  if (code !== undefined && (!previous || now - previous.acceptedAt > MIN_GAP_MS))
    return { accepted: code, last: { code, seenAt: now, acceptedAt: now, missed: 0 } }
  return { accepted: null, last: previous && { ...previous, missed: previous.missed + 1 } }
}
