import { useSyncExternalStore } from 'react'
import {
  addItem,
  type Cart,
  CART_KEY,
  type CartItem,
  cartCount as countOf,
  findItem,
  PENDING_KEY,
  removeItem,
  updateQuantity,
} from '../rules.ts'
import { cartItemOf, parseCart, parsePending, type PendingProduct, storedCart } from '../stored-rules.ts'
import type { ProductJson } from '#features/catalog/types.ts'

/** The cart of a page. `ready` is false on the server and until hydration: the cart is not known then. */
export interface CartView {
  items: Cart
  ready: boolean
}

const UNKNOWN: CartView = { items: [], ready: false }

/** The result of adding a product. `not-stored`: the browser's storage is blocked or full. */
export type AddOutcome = 'added' | 'already-in-cart' | 'cart-full' | 'not-stored'

/** The part of the browser's storage that a cart uses. */
export interface CartStorage {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
}

/** The stored text of a cart. When the storage cannot be written, memory holds it until the page is left. */
function createCartText(storage: () => CartStorage) {
  let unsaved: string | null = null

  /** Stores a text; false when the storage is blocked or full. */
  function save(text: string): boolean {
    try {
      storage().setItem(CART_KEY, text)
      unsaved = null
      return true
    } catch {
      return false
    }
  }

  return {
    save,
    saveOrHold(text: string): void {
      if (!save(text)) unsaved = text
    },
    read(): string | null {
      if (unsaved !== null) return unsaved
      try {
        return storage().getItem(CART_KEY)
      } catch {
        return null
      }
    },
  }
}

/**
 * A cart in a storage that other tabs write to. It is read again before every change, so that tabs do not overwrite each other.
 * When the storage cannot be written, a changed cart lasts until the page is left, and new products are not added.
 */
export function createCartStore(storage: () => CartStorage, pageLoad = performance.timeOrigin) {
  const listeners = new Set<() => void>()
  const cartText = createCartText(storage)
  let shown: { text: string | null; view: CartView } | null = null

  function view(): CartView {
    const text = cartText.read()
    if (!shown || shown.text !== text) shown = { text, view: { items: parseCart(text), ready: true } }
    return shown.view
  }

  function write(items: Cart): void {
    cartText.saveOrHold(storedCart(items))
    notify()
  }

  function notify(): void {
    for (const listener of listeners) listener()
  }

  return {
    view,
    /** Call after another tab wrote, or after the page came back from the back/forward cache. */
    notify,
    subscribe(listener: () => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    /** Adds a product in a quantity in thousandths; without one, in its first size. */
    add(product: ProductJson, milli?: number): AddOutcome {
      const result = addItem(view().items, cartItemOf(product, milli))
      if (!result.ok) return result.reason
      if (!cartText.save(storedCart(result.value))) return 'not-stored'
      notify()
      return 'added'
    },
    /**
     * Removes the products added before hydration from the storage and returns them in order: those of this page load, or of all others.
     * The caller adds them to the cart.
     */
    takePending: (whose: 'own' | 'others') => takePendingProducts(storage, (load) => (load === pageLoad) === (whose === 'own')),
    remove(productId: number): void {
      write(removeItem(view().items, productId))
    },
    /** Sets a quantity in units; false for an unknown product (logged) or a quantity that cannot be ordered. */
    setQuantity(productId: number, quantity: number): boolean {
      const result = updateQuantity(view().items, productId, quantity)
      if (result.ok) write(result.value)
      else if (result.reason === 'not-in-cart') console.warn(`Product ${productId} is not in the cart.`)
      return result.ok
    },
    /** Any other change, computed from the current cart. */
    change(work: (items: Cart) => Cart): void {
      write(work(view().items))
    },
  }
}

/** Products are removed from the storage before they are returned, so that each is added only one time. */
function takePendingProducts(storage: () => CartStorage, isTaken: (pageLoad: unknown) => boolean): PendingProduct[] {
  try {
    const stored = storage().getItem(PENDING_KEY)
    if (stored === null) return []
    const pending = parsePending(stored)
    storage().setItem(PENDING_KEY, JSON.stringify(pending.filter(([load]) => !isTaken(load))))
    return pending.filter(([load]) => isTaken(load))
  } catch {
    // Blocked storage holds no products.
    return []
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

/** The cart of this browser. Updates with every change in any tab. */
export function useCart(): CartView {
  return useSyncExternalStore(store.subscribe, store.view, () => UNKNOWN)
}

/** The cart's line of a product; null without one and until hydration. */
export function useCartItem(productId: number): CartItem | null {
  return useSyncExternalStore(
    store.subscribe,
    () => findItem(store.view().items, productId),
    () => null,
  )
}

/** Whether a product is in the cart; false until hydration. Renders again only when the answer changes. */
export function useInCart(productId: number): boolean {
  return useSyncExternalStore(
    store.subscribe,
    () => findItem(store.view().items, productId) !== null,
    () => false,
  )
}

/** The number of the badge, null until hydration. */
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
export const changeCart = store.change
