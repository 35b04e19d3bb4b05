import type { SimulatorOptions } from '#features/payments/simulator-options.ts'
import type { SimState } from './state.ts'

const SOON_MS = 40

/** Sends the notification of a payment as the fault switch has it; the default is shortly after the browser left. */
export async function notifyShop(
  address: string | undefined,
  fields: Record<string, string>,
  state: SimState,
  options: SimulatorOptions,
): Promise<void> {
  if (!address) return
  const send = () => post(inside(address, options), fields)
  const { notify, notifyDelayMs } = state.faults
  if (notify === 'never') return
  if (notify === 'before-return') return send()
  if (notify === 'late') return later(notifyDelayMs ?? 600_000, send, state)
  const all = notify === 'five-times' ? () => Promise.all([1, 2, 3, 4, 5].map(send)) : send
  later(SOON_MS, all, state)
}

function later(ms: number, send: () => Promise<unknown>, state: SimState): void {
  const cancel = () => {
    clearTimeout(timer)
    state.waiting.delete(cancel)
  }
  const timer = setTimeout(() => {
    state.waiting.delete(cancel)
    void send()
  }, ms)
  timer.unref()
  state.waiting.add(cancel)
}

/** The shop's public address may not be reachable from its own machine. */
function inside(address: string, { shop }: SimulatorOptions): string {
  return shop ? address.replace(new URL(shop.origin).origin, shop.internal) : address
}

async function post(address: string, fields: Record<string, string>): Promise<void> {
  try {
    await fetch(address, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual', signal: AbortSignal.timeout(10_000) })
  } catch {
    // A shop that is down gets no second notification; its reconcile job queries the gateway.
  }
}
