// A camera reads the same code in every picture. A code counts once, and again after a second out of last or after another code.
// Between two codes lies the scan lock.
import { SCAN_LOCK } from './rules.ts'

const OUT_OF_SIGHT_MS = 1000
/** A little longer than the lock, which the screen lifts with a delay. */
const MIN_GAP_MS = SCAN_LOCK + 100

/** The last accepted code; times in milliseconds of one clock. */
export interface LastScan {
  code: string
  /** When a picture contained it last. */
  seenAt: number
  /** When it was accepted. */
  acceptedAt: number
}

/** The code of a picture that counts now, or null, and the next state. */
export function acceptCode(
  previous: LastScan | null,
  codes: readonly string[],
  now: number,
): { accepted: string | null; last: LastScan | null } {
  const isVisible = previous !== null && codes.includes(previous.code)
  if (previous && isVisible && now - previous.seenAt <= OUT_OF_SIGHT_MS) return { accepted: null, last: { ...previous, seenAt: now } }
  const code = codes[0]
  if (code === undefined || (previous && now - previous.acceptedAt <= MIN_GAP_MS)) return { accepted: null, last: previous }
  return { accepted: code, last: { code, seenAt: now, acceptedAt: now } }
}
