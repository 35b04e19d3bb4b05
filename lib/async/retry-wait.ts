const WAIT_MINUTES = [1, 5, 15, 60, 180]

/** Seconds until the next attempt to reach another company's server, after this many attempts. */
export function retryWaitSeconds(attempts: number): number {
  return WAIT_MINUTES[Math.min(attempts, WAIT_MINUTES.length) - 1]! * 60
}
