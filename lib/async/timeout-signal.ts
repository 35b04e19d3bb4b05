/** Aborts after this time, as `AbortSignal.timeout` does in browsers from Safari 16, Chrome 103 and Firefox 100. */
export function timeoutSignal(timeoutMs: number): AbortSignal {
  const stop = new AbortController()
  setTimeout(() => stop.abort(new DOMException('Timeout', 'TimeoutError')), timeoutMs)
  return stop.signal
}
