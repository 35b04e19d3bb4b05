import { useSyncExternalStore } from 'react'
import { addItem, type Cart, CART_KEY, cartCount as countOf, findItem, PENDING_KEY, removeItem, updateQuantity } from '../rules.ts'
import { cartItemOf, parseCart, parsePending, storedCart } from '../stored-rules.ts'
import type { ProductJson } from '#features/catalog/types.ts'

/** The cart as a page sees it. `ready` is false on the server and until the page is awake: then nothing is known of the cart. */
export interface CartView {
  items: Cart
  ready: boolean
}

const UNKNOWN: CartView = { items: [], ready: false }

/** The result of adding a product. `not-stored`: the browser's storage is blocked or full. */
export type AddOutcome = 'added' | 'already-in-cart' | 'cart-full' | 'not-stored'

/** The part of the browser's storage that a cart needs. */
export interface CartStorage {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
}

/**
 * The cart over a storage that other tabs write to as well: it is read again before every change, so that no tab undoes another's.
 * Where storage refuses a changed cart it lives as long as the page. A new product is not added then: the next page would not find it.
 */
export function createCartStore(storage: () => CartStorage, pageLoad = performance.timeOrigin) {
  const listeners = new Set<() => void>()
  /** What is held in memory while the storage refuses to keep it. */
  let unkept: string | null = null
  let shown: { text: string | null; view: CartView } | null = null

  function readText(): string | null {
    if (unkept !== null) return unkept
    try {
      return storage().getItem(CART_KEY)
    } catch {
      return null
    }
  }

  function view(): CartView {
    const text = readText()
    if (!shown || shown.text !== text) shown = { text, view: { items: parseCart(text), ready: true } }
    return shown.view
  }

  /** Saves a text; false when the storage is blocked or full. */
  function save(text: string): boolean {
    try {
      storage().setItem(CART_KEY, text)
      unkept = null
      return true
    } catch {
      return false
    }
  }

  function write(items: Cart): void {
    const text = storedCart(items)
    if (!save(text)) unkept = text
    notify()
  }

  function notify(): void {
    for (const listener of listeners) listener()
  }

  return {
    view,
    /** Another tab wrote, or the page came back from the back/forward cache. */
    notify,
    subscribe(listener: () => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    add(product: ProductJson): AddOutcome {
      const result = addItem(view().items, cartItemOf(product))
      if (!result.ok) return result.reason
      if (!save(storedCart(result.value))) return 'not-stored'
      notify()
      return 'added'
    },
    /**
     * Takes the products pressed before hydration out of the storage, in order: those of this page load, or those of all others.
     * The caller adds them. Taken entries are removed first, so each is added once.
     */
    takePending(whose: 'own' | 'others'): ProductJson[] {
      try {
        const stored = storage().getItem(PENDING_KEY)
        if (stored === null) return []
        const pending = parsePending(stored)
        const isTaken = ([load]: [unknown, ProductJson]) => (load === pageLoad) === (whose === 'own')
        storage().setItem(PENDING_KEY, JSON.stringify(pending.filter((one) => !isTaken(one))))
        return pending.filter(isTaken).map(([, product]) => product)
      } catch {
        // Blocked storage holds no press.
        return []
      }
    },
    remove(productId: number): void {
      write(removeItem(view().items, productId))
    },
    /** Sets a quantity in units; false when the product is not there or may not be ordered so. A missing item only warns in the console. */
    setQuantity(productId: number, quantity: number): boolean {
      const result = updateQuantity(view().items, productId, quantity)
      if (result.ok) write(result.value)
      else if (result.reason === 'not-in-cart') console.warn(`Product ${productId} is not in the cart.`)
      return result.ok
    },
    clear(): void {
      write([])
    },
    /** Any other change, worked out from the cart as it is now. */
    change(work: (items: Cart) => Cart): void {
      write(work(view().items))
    },
  }
}

const store = createCartStore(() => window.localStorage)

if (typeof window !== 'undefined') {
  window.addEventListener('storage', (event) => {
    if (event.key === CART_KEY || event.key === null) store.notify()
  })
  window.addEventListener('pageshow', (event) => {
    if (event.persisted) store.notify()
  })
}

/** The cart of this browser, following every change in any tab. */
export function useCart(): CartView {
  return useSyncExternalStore(store.subscribe, store.view, () => UNKNOWN)
}

/** Whether a product is in the cart; false until the page is awake. Only a change of the answer draws anew. */
export function useInCart(productId: number): boolean {
  return useSyncExternalStore(
    store.subscribe,
    () => findItem(store.view().items, productId) !== null,
    () => false,
  )
}

/** The number of the badge, null until the page is awake. */
export function useCartCount(): number | null {
  return useSyncExternalStore(
    store.subscribe,
    () => countOf(store.view().items),
    () => null,
  )
}

export const addToCart = store.add
export const takePending = store.takePending
export const removeFromCart = store.remove
export const setQuantity = store.setQuantity
export const clearCart = store.clear
export const changeCart = store.change
