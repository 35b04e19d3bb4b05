import type { BegunSaleWriter } from './device/begun-sales.ts'
import { isEntered } from './held-on-device.ts'
import { newSale, type Sale } from './sale.ts'
import { writeSessionSale } from './session-sale.ts'

/** The sale before the stored one is read; also what the server renders. */
export const BLANK: Sale = newSale('')

export type SaleUpdate = Sale | ((now: Sale) => Sale)

/**
 * The sale on the screen, outside of React: the next reader sees an update at once, before React renders it. Each change is stored in
 * sessionStorage and, once the tab is known, in IndexedDB.
 */
export class SaleStore {
  #sale = BLANK
  #writer: BegunSaleWriter | null = null
  #isSending = false
  /** The key of a sale that the outbox has: a reload does not show it again. */
  #handedOver: string | null = null
  readonly #listeners = new Set<() => void>()

  /** The sale on the screen is being placed: it is neither held nor replaced, because the shop may record it. */
  get isSending(): boolean {
    return this.#isSending
  }

  startSending(): void {
    this.#isSending = true
  }

  endSending(): void {
    this.#isSending = false
  }

  readonly get = (): Sale => this.#sale

  readonly set = (update: SaleUpdate): void => {
    const next = typeof update === 'function' ? update(this.#sale) : update
    if (next === this.#sale) return
    this.#sale = next
    if (next.key !== this.#handedOver) this.persist()
    for (const listener of this.#listeners) listener()
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Stores the sale, from now on also with this writer. */
  persist(writer: BegunSaleWriter | null = this.#writer): void {
    this.#writer = writer
    this.#handedOver = null
    if (this.#sale.key !== '') this.#store(this.#sale)
  }

  /** Removes the stored copies of the sale: the outbox has it now. The screen still shows it. */
  unpersist(): void {
    this.#handedOver = this.#sale.key
    this.#store(newSale())
  }

  #store(sale: Sale): void {
    const at = Date.now()
    writeSessionSale(sale, at)
    this.#writer?.write(isEntered(sale) ? sale : null, at)
  }
}
