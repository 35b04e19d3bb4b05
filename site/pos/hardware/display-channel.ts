import { type DisplayedSale, type DisplayMessage, readDisplayMessage } from './display-rules.ts'

const CHANNEL = 'khamar.display'
/** Held by a POS page as long as it lives: a display that gets it knows that the page is gone, crashed pages included. */
const lockOf = (tab: string) => `khamar.display.${tab}`
/** Scans in a burst are one message, in milliseconds. */
const BATCH_MS = 40

/** Sends the sale of a POS page to the customer displays of this browser. */
class DisplayFeed {
  readonly #channel = new BroadcastChannel(CHANNEL)
  readonly #tab = crypto.randomUUID()
  #sale: DisplayedSale | null = null
  #at = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor() {
    this.#channel.addEventListener('message', ({ data }) => {
      if (readDisplayMessage(data)?.kind === 'hello') this.#send()
    })
    window.addEventListener('pagehide', () => this.#post({ version: 1, kind: 'closed', tab: this.#tab }))
    void navigator.locks?.request(lockOf(this.#tab), () => new Promise(() => {}))
  }

  #post(message: DisplayMessage): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel, not a window
    this.#channel.postMessage(message)
  }

  #send(kind: 'sale' | 'sold' = 'sale'): void {
    if (this.#sale) this.#post({ version: 1, kind, tab: this.#tab, at: this.#at, sale: this.#sale })
  }

  show(sale: DisplayedSale): void {
    this.#sale = sale
    this.#at = Date.now()
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.#send()
    }, BATCH_MS)
  }

  /** The sale is paid. A sale that waits to be sent must not follow it. */
  sold(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#at = Date.now()
    this.#send('sold')
  }
}

let feed: DisplayFeed | undefined
const displayFeed = (): DisplayFeed | null => (typeof BroadcastChannel === 'undefined' ? null : (feed ??= new DisplayFeed()))

/** Shows the current sale on the customer displays. */
export const showOnDisplay = (sale: DisplayedSale) => displayFeed()?.show(sale)

/** Shows thanks and change for the sale shown last. */
export const showSoldOnDisplay = () => displayFeed()?.sold()

/** Listens as a customer display. Returns the end of listening. */
export function listenAsDisplay(onMessage: (message: DisplayMessage) => void): () => void {
  if (typeof BroadcastChannel === 'undefined') return () => {}
  const channel = new BroadcastChannel(CHANNEL)
  channel.addEventListener('message', ({ data }) => {
    const message = readDisplayMessage(data)
    if (message) onMessage(message)
  })
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- the same
  channel.postMessage({ version: 1, kind: 'hello' } satisfies DisplayMessage)
  return () => channel.close()
}

/** Calls back when the POS page is gone. Returns the end of watching. */
export function watchPosPage(tab: string, onGone: () => void): () => void {
  const stop = new AbortController()
  const isGone = () => stop.signal.aborted || onGone()
  navigator.locks?.request(lockOf(tab), { signal: stop.signal }, async () => isGone()).catch(() => {})
  return () => stop.abort()
}
