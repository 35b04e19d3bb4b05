// Runs before each test file of a worker. Its files share modules, globals and, where they have one, the document: a test must not depend on
// the file that ran before.
import { vi } from 'vitest'

/** Takes back what a file has left: spies, stubs of globals and of the environment, a fake clock, toasts, elements and stored values. */
export async function startFresh(): Promise<void> {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
  if (typeof document === 'undefined') return
  const { closeToast, pendingToasts } = await import('#components/toast.tsx')
  for (const { id } of pendingToasts()) closeToast(id)
  document.body.replaceChildren()
  localStorage.clear()
  sessionStorage.clear()
}

await startFresh()
