import { SCAN_LOCK } from '#features/pos/rules.ts'
import { continuesBurst, type KeyBurst, withKey } from './key-burst.ts'

/**
 * The scan lock by the times of the events: when the keys were pressed, however late a busy device delivers them. A timer would run behind
 * all waiting keys, and the lock would last as long as they do.
 */
export class ScanLock {
  #endsAt = -Infinity
  #rejected: KeyBurst | null = null

  get endsAt(): number {
    return this.#endsAt
  }

  isLockedAt(at: number): boolean {
    return at < this.#endsAt
  }

  /** A scan was accepted at this time. */
  begin(at: number): void {
    this.#endsAt = at + SCAN_LOCK
  }

  /**
   * What becomes of a key. A code that began while locked is rejected whole, because its rest might be another valid code: its keys are
   * dropped, and its Enter ends a rejected scan.
   */
  press(key: string, at: number): 'typed' | 'dropped' | 'rejected' {
    if (!this.isLockedAt(at) && !continuesBurst(this.#rejected, at)) {
      this.#rejected = null
      return 'typed'
    }
    this.#rejected = key === 'Enter' ? null : withKey(this.#rejected, key, at)
    return key === 'Enter' ? 'rejected' : 'dropped'
  }
}
