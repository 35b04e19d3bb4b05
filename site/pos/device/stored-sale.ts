import { newSale } from '../sale.ts'
import type { QueuedSale, RejectedSale } from './outbox-rules.ts'

/** A queued sale as release 0.1 stored it. */
interface StoredByRelease01 extends Omit<QueuedSale, 'sequence' | 'state' | 'rejection'> {
  place: number
  state: 'waiting' | 'clash' | 'sold'
  clash?: RejectedSale
}

export type StoredSale = QueuedSale | StoredByRelease01

/** A stored sale in the current shape: a device may hold unsent sales of release 0.1, which had fewer inputs. */
export function fromStored(stored: StoredSale): QueuedSale {
  if (!('place' in stored)) return stored
  const { place, state, clash, ...rest } = stored
  const sale = stored.sale && { ...newSale(), ...stored.sale }
  return { ...rest, sale, sequence: place, state: state === 'clash' ? 'rejected' : state, ...(clash ? { rejection: clash } : {}) }
}
