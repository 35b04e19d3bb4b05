/** Rejects when the work takes longer. */
export function within<Result>(work: Promise<Result>, timeoutMs: number): Promise<Result> {
  let timer: ReturnType<typeof setTimeout>
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('Timeout')), timeoutMs)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
