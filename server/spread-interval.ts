/**
 * Calls `run` every `intervalMs`, the first time after half of it to all of it, by chance: the jobs of processes that started together
 * reach the database one after the other. Returns a function that stops it.
 */
export function spreadInterval(run: () => void, intervalMs: number): () => void {
  let timer = setTimeout(
    () => {
      timer = setInterval(run, intervalMs)
      run()
    },
    (intervalMs * (1 + Math.random())) / 2,
  )
  // Node clears both kinds with one function.
  return () => clearTimeout(timer)
}
