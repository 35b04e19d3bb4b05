const MINUTE_MS = 60_000

/** For a line of the log that strangers or a lasting failure cause: the first one is written, then one a minute, with the number of those left out. */
export class LogThrottle {
  #nextAt = -Infinity
  #leftOut = 0

  /** `now`: `performance.now()`. */
  run(write: (leftOut: { leftOut?: number }) => void, now = performance.now()): void {
    if (now < this.#nextAt) {
      this.#leftOut += 1
      return
    }
    write(this.#leftOut === 0 ? {} : { leftOut: this.#leftOut })
    this.#nextAt = now + MINUTE_MS
    this.#leftOut = 0
  }
}
