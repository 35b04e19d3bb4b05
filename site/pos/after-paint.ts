/** At most so long, in milliseconds: hidden pages paint nothing. */
const MAX_WAIT = 250

/** Runs the work after the next frame was shown: what the cashier sees comes first. */
export function afterPaint(work: () => void): void {
  let isDone = false
  const run = () => {
    if (isDone) return
    isDone = true
    work()
  }
  requestAnimationFrame(() => setTimeout(run))
  setTimeout(run, MAX_WAIT)
}
