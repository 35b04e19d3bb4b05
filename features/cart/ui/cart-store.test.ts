import { describe, expect, test, vi } from 'vitest'
import type { ProductJson } from '#features/catalog/types.ts'
import { withoutOrdered } from '../quote-lines-rules.ts'
import { CART_KEY, MAX_LINES, PENDING_KEY } from '../rules.ts'
import { cartItemOf, type PendingProduct, storedCart } from '../stored-rules.ts'
import { createCartStore } from './cart-store.ts'

const mango = {
  id: 7,
  product_type: 'Himsagar mango',
  price: 120,
  unit: 'kg',
  status: 'in-stock',
  discount: null,
  discount_type: null,
  size: '5,10,20',
  image: '/uploads/a-800.webp',
  advance_minimum: 0,
  advance_percentage: 0,
  advance_round_figure: 0,
  shipping_cost: 80,
  coupon_applicable: true,
  categories: [{ id: 3, key: 'fruits', name: 'Fruits', label: 'Fruits' }],
  is_unique: false,
  delivery_group: 'produce',
  cod_allowed: true,
  tag_number: null,
} as unknown as ProductJson
const cow = {
  ...mango,
  id: 8,
  product_type: 'Pabna bull',
  price: 135_575,
  size: null,
  is_unique: true,
  tag_number: 'K-101',
  delivery_group: 'cattle',
} as ProductJson

/** The storage of one browser, shared by its tabs. */
function sharedStorage(content: string | null = null) {
  const items = new Map(content === null ? [] : [[CART_KEY, content]])
  return { getItem: (key: string) => items.get(key) ?? null, setItem: (key: string, value: string) => void items.set(key, value) }
}

const names = (store: ReturnType<typeof createCartStore>) => store.view().items.map((item) => item.productName)

describe('the cart in the browser', () => {
  test('adds a product with its first size, and rejects it a second time', () => {
    const store = createCartStore(() => sharedStorageOnce)
    const sharedStorageOnce = sharedStorage()
    expect(store.add(mango)).toBe('added')
    expect(store.add(mango)).toBe('already-in-cart')
    expect(store.view().items).toMatchObject([{ productId: 7, quantity: 5, productPrice: 600, Unit: 'kg' }])
  })

  test('loses the ordered products, not what another tab added meanwhile', () => {
    const storage = sharedStorage()
    const [checkout, other] = [createCartStore(() => storage), createCartStore(() => storage)]
    checkout.add(mango)
    const ordered = checkout.view().items.map((item) => ({ product_id: item.productId }))
    other.add(cow)
    checkout.change((items) => withoutOrdered(items, ordered))
    expect(names(other)).toEqual(['Pabna bull'])
  })

  test.each([
    ['a pack', 10_000, 10, 1200],
    ['a sum of packs', 35_000, 35, 4200],
    ['no sum of packs: the first size', 7000, 5, 600],
    ['broken', NaN, 5, 600],
    ['too large', 1e9, 5, 600],
  ])('adds %s', (_name, milli, quantity, productPrice) => {
    const storage = sharedStorage()
    const store = createCartStore(() => storage)
    expect(store.add(mango, milli)).toBe('added')
    expect(store.view().items).toMatchObject([{ quantity, productPrice }])
  })

  test('an animal is one, whatever quantity is asked for', () => {
    const storage = sharedStorage()
    const store = createCartStore(() => storage)
    store.add(cow, 2000)
    expect(store.view().items).toMatchObject([{ quantity: 1, productPrice: 135_575 }])
  })

  test('two tabs do not overwrite each other', () => {
    const storage = sharedStorage()
    const [one, other] = [createCartStore(() => storage), createCartStore(() => storage)]
    one.add(mango)
    other.add(cow)
    one.setQuantity(7, 15)
    other.remove(8)
    expect(names(one)).toEqual(['Himsagar mango'])
    expect(other.view().items[0]?.quantity).toBe(15)
  })

  test('the view stays the same object until the storage changes, also by another tab', () => {
    const storage = sharedStorage()
    const [one, other] = [createCartStore(() => storage), createCartStore(() => storage)]
    const before = one.view()
    expect(one.view()).toBe(before)
    other.add(mango)
    expect(one.view()).not.toBe(before)
  })

  test.each([['{"half":'], ['"text"'], ['[{"productId":"x"},null,7]'], ['null'], ['']])(
    'broken content %j is an empty cart that accepts products',
    (content) => {
      const storage = sharedStorage(content)
      const store = createCartStore(() => storage)
      expect(store.view()).toEqual({ items: [], ready: true })
      expect(store.add(mango)).toBe('added')
      expect(names(store)).toEqual(['Himsagar mango'])
    },
  )

  test('blocked storage: a product is not added, because the next page could not read it', () => {
    const store = createCartStore(() => {
      throw new DOMException('blocked', 'SecurityError')
    })
    const listener = vi.fn<() => void>()
    store.subscribe(listener)
    expect(store.add(mango)).toBe('not-stored')
    expect(names(store)).toEqual([])
    expect(listener).not.toHaveBeenCalled()
  })

  test('full storage: nothing is added or lost, a change lasts until the page is left, and is stored when there is room again', () => {
    const storage = sharedStorage()
    let full = false
    const store = createCartStore(() => ({ ...storage, setItem: (key, value) => (full ? fail() : storage.setItem(key, value)) }))
    store.add(mango)
    full = true
    expect(store.add(cow)).toBe('not-stored')
    store.setQuantity(7, 15)
    expect(store.view().items).toMatchObject([{ productId: 7, quantity: 15 }])
    expect(createCartStore(() => storage).view().items).toMatchObject([{ productId: 7, quantity: 5 }])
    expect(store.add(cow)).toBe('not-stored')
    expect(names(store)).toEqual(['Himsagar mango'])
    full = false
    expect(store.add(cow)).toBe('added')
    expect(createCartStore(() => storage).view().items).toMatchObject([{ productId: 7, quantity: 15 }, { productId: 8 }])
  })

  test('a full cart rejects further products', () => {
    const items = Array.from({ length: MAX_LINES }, (_, index) => ({ ...cartItemOf(mango), productId: 100 + index }))
    const store = createCartStore(() => sharedStorageOfFullCart)
    const sharedStorageOfFullCart = sharedStorage(storedCart(items))
    expect(store.add(mango)).toBe('cart-full')
    expect(store.view().items).toHaveLength(MAX_LINES)
  })

  test('an unknown product only logs a warning', () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const storage = sharedStorage()
    expect(createCartStore(() => storage).setQuantity(99, 1)).toBe(false)
    expect(warn).toHaveBeenCalledOnce()
    warn.mockRestore()
  })

  test('a quantity that is no sum of sizes is rejected', () => {
    const storage = sharedStorage()
    const store = createCartStore(() => storage)
    store.add(mango)
    expect(store.setQuantity(7, 7)).toBe(false)
    expect(store.view().items[0]?.quantity).toBe(5)
  })
})

describe('products added before hydration', () => {
  const LOAD = 1000.5
  const storageWith = (pending: string, cart = '[]') => {
    const storage = sharedStorage(cart)
    storage.setItem(PENDING_KEY, pending)
    return storage
  }

  const idsOf = (pending: PendingProduct[]) => pending.map(([, { id }]) => id)

  test('those of this page and those of other pages are returned once, in order', () => {
    const storage = storageWith(
      JSON.stringify([
        [LOAD, cow],
        [2, mango],
        [LOAD, mango],
        [3, cow],
      ]),
    )
    const [store, other] = [createCartStore(() => storage, LOAD), createCartStore(() => storage, LOAD + 1)]
    expect(idsOf(store.takePending('own'))).toEqual([8, 7])
    expect(store.takePending('own')).toEqual([])
    expect(JSON.parse(storage.getItem(PENDING_KEY) ?? '')).toEqual([
      [2, mango],
      [3, cow],
    ])
    expect(idsOf(other.takePending('others'))).toEqual([7, 8])
    expect(store.takePending('others')).toEqual([])
    expect(names(store)).toEqual([])
  })

  test.each(['{"half":', 'null', '7', '[null,7,[],[1],[1,null],[1,{"id":"x"}],[1,{"id":3,"product_type":"No price"}]]'])(
    'broken content %j adds nothing and is repaired',
    (content) => {
      const storage = storageWith(content)
      const store = createCartStore(() => storage, LOAD)
      for (const [, product, milli] of store.takePending('others')) store.add(product, milli)
      expect(store.takePending('own')).toEqual([])
      expect(names(store)).toEqual([])
      expect(storage.getItem(PENDING_KEY)).toBe('[]')
    },
  )

  test('blocked storage has none', () => {
    expect(createCartStore(fail).takePending('own')).toEqual([])
  })
})

function fail(): never {
  throw new DOMException('full', 'QuotaExceededError')
}
