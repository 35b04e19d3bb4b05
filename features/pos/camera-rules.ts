// A camera sees a code in every picture. It counts once: again only after it was out of sight for a second, or when it comes after
// another code. Between two codes lies the till's lock.
import { SCAN_LOCK } from './rules.ts'

const OUT_OF_SIGHT = 1000
/** A little longer than the lock, which the screen lifts a moment late. */
const BETWEEN = SCAN_LOCK + 100

/** What a camera has seen; times in milliseconds of one clock. */
export interface Sight {
  code: string
  /** When it was in a picture last. */
  seenAt: number
  /** When it was taken. */
  takenAt: number
}

/** The code of a picture that counts now, if one does, and what is remembered of it. */
export function cameraTakes(before: Sight | null, codes: readonly string[], now: number): { taken: string | null; sight: Sight | null } {
  const still = before !== null && codes.includes(before.code)
  if (before && still && now - before.seenAt <= OUT_OF_SIGHT) return { taken: null, sight: { ...before, seenAt: now } }
  const code = codes[0]
  if (code === undefined || (before && now - before.takenAt <= BETWEEN)) return { taken: null, sight: before }
  return { taken: code, sight: { code, seenAt: now, takenAt: now } }
}
