import { useSyncExternalStore } from 'react'
import { SHIFT_CHANNEL } from '#features/pos/storage-names.ts'

// The latest shift of the cashier as the shop last said: in answers of the catalog, and to other tabs of this browser.

interface ShiftMessage {
  cashierId: number
  /** The latest shift; null: none yet. */
  shiftId: number | null
  isOpen: boolean
}

/** Undefined: nothing is known yet. */
let known: ShiftMessage | undefined
const listeners = new Set<() => void>()

/** Rises with each shift that a cashier opens or closes. An answer that was on its way meanwhile has a lower one. */
const progressOf = ({ shiftId, isOpen }: Omit<ShiftMessage, 'cashierId'>) => 2 * (shiftId ?? 0) + (isOpen ? 0 : 1)

function learn(shift: ShiftMessage): boolean {
  if (known?.cashierId === shift.cashierId && progressOf(known) >= progressOf(shift)) return false
  known = shift
  for (const listener of listeners) listener()
  return true
}

/** Records the shift of this tab's cashier, and tells the other tabs when it is another one. */
export function setOpenShift(shift: ShiftMessage): void {
  if (!learn(shift) || typeof BroadcastChannel === 'undefined') return
  const channel = new BroadcastChannel(SHIFT_CHANNEL)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none
  channel.postMessage(shift)
  channel.close()
}

function subscribe(listener: () => void): () => void {
  const channel = new BroadcastChannel(SHIFT_CHANNEL)
  channel.addEventListener('message', ({ data }: MessageEvent<ShiftMessage>) => void learn(data))
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    channel.close()
  }
}

/** Whether the shift of this page is known to be closed, here or on another screen. */
export function isShiftClosed({ id, shiftId }: { id: number; shiftId: number | null }): boolean {
  return known?.cashierId === id && progressOf(known) > progressOf({ shiftId, isOpen: true })
}

export function useShiftClosed(cashier: { id: number; shiftId: number | null }): boolean {
  return useSyncExternalStore(
    subscribe,
    () => isShiftClosed(cashier),
    () => false,
  )
}
