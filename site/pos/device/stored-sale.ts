import { newSale } from '../sale.ts'
import type { QueuedSale, RejectedSale } from './outbox-rules.ts'

/** A queued sale as release 0.1 stored it. */
interface StoredByRelease01 extends Omit<QueuedSale, 'sequence' | 'state' | 'rejection'> {
  place: number
  state: 'waiting' | 'clash' | 'sold'
  clash?: RejectedSale
}

export type StoredSale = QueuedSale | StoredByRelease01

/** A stored sale in the current shape: a device may hold unsent sales of an earlier release, which had fewer inputs. */
export function fromStored(stored: StoredSale): QueuedSale {
  const sale = stored.sale && { ...newSale(), ...stored.sale }
  if (!('place' in stored)) return { ...stored, sale }
  const { place, state, clash, ...rest } = stored
  return { ...rest, sale, sequence: place, state: state === 'clash' ? 'rejected' : state, ...(clash ? { rejection: clash } : {}) }
}
