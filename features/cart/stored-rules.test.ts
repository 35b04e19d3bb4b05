import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { takaToPoisha } from '#lib/format/money.ts'
import { parseSizes } from '../catalog/quantity-rules.ts'
import { discountOf } from '../catalog/shown-price-rules.ts'
import type { ProductJson } from '../catalog/types.ts'
import { advanceTerms } from '../pricing/advance-terms-rules.ts'
import { type QuoteProduct, quoteOrder } from '../pricing/quote-rules.ts'
import { chosenLines, cartItemToQuoteProduct } from './quote-lines-rules.ts'
import { type CartItem, quantityAfterPlus, updateQuantity } from './rules.ts'
import { cartItemOf, parseCart, storedCart } from './stored-rules.ts'

const mango: ProductJson = {
  id: 7,
  product_type: 'Himsagar mango',
  price: 150.5,
  unit: 'kg',
  status: 'in-stock',
  discount: 10,
  discount_type: 'percentage',
  delivery_date: null,
  note: '',
  size: '10,5,20',
  advance_minimum: 0,
  advance_percentage: 12.5,
  advance_round_figure: 10,
  shipping_cost: 120,
  coupon_applicable: true,
  categories: [{ id: 3, key: 'fruits', name: 'Fruits', label: 'ফল' }],
  images: [],
  image: '/uploads/x-800.webp',
  full_image_path: null,
  media: [],
  picture: null,
  delivery_group: 'produce',
  cod_allowed: true,
  is_unique: false,
  tag_number: null,
  breed: null,
  weight_kg: null,
  weighed_on: null,
  rate_per_kg: null,
  barcode: null,
  qr_url: '/product/7',
}

test('a product is added with its first size', () => {
  expect(cartItemOf(mango)).toEqual({
    productId: 7,
    productName: 'Himsagar mango',
    productImage: '/uploads/x-800.webp',
    basePrice: 150.5,
    productPrice: 1505,
    quantity: 10,
    size: '10,5,20',
    discount: 10,
    discount_type: 'percentage',
    Unit: 'kg',
    couponApplicable: true,
    advanceMinimum: 0,
    advancePercentage: 12.5,
    advanceRoundFigure: 10,
    shippingCost: 120,
    categories: [{ id: 3, key: 'fruits', name: 'Fruits', label: 'ফল' }],
    isUnique: false,
    deliveryGroup: 'produce',
    codAllowed: true,
    tagNumber: null,
  })
  expect(cartItemOf({ ...mango, size: null })).toMatchObject({ quantity: 1, productPrice: 150.5 })
  expect(cartItemOf({ ...mango, is_unique: true })).toMatchObject({ quantity: 1 })
})

test('a stored cart is read back unchanged', () => {
  const cart = [
    cartItemOf(mango),
    cartItemOf({
      ...mango,
      id: 8,
      is_unique: true,
      size: null,
      tag_number: 'KB-101',
      delivery_group: 'cattle',
      cod_allowed: false,
      discount: null,
      discount_type: null,
    }),
  ]
  expect(parseCart(storedCart(cart))).toEqual(cart)
})

const least = { productId: 1, productName: 'Cow', basePrice: 110_000, quantity: 1, categories: [{ name: 'Kurbani Cow' }] }

test('the specified fields are enough for a line', () => {
  expect(parseCart(JSON.stringify([least]))).toMatchObject([
    { ...least, productPrice: 110_000, size: null, deliveryGroup: 'cattle', codAllowed: true, couponApplicable: false },
  ])
  expect(parseCart(JSON.stringify([{ ...least, productId: '5', quantity: '2' }]))).toMatchObject([{ productId: 5, quantity: 2 }])
})

test('a category of a cart stored without keys gets its key by the specified name', () => {
  const keysOf = (categories: unknown) => parseCart(JSON.stringify([{ ...least, categories }]))[0]?.categories.map(({ key }) => key)
  expect(keysOf([{ name: 'Kurbani Cow' }, { name: 'Beef' }, { name: 'Fruits' }, { name: 'Sugarcane' }])).toEqual([
    'kurbani',
    'beef',
    'fruits',
    null,
  ])
  // A stored key wins over the name; an unknown key is null.
  expect(
    keysOf([
      { key: 'kurbani', name: 'Eid cattle' },
      { key: null, name: 'Kurbani Cow' },
      { key: '__proto__', name: 'Beef' },
    ]),
  ).toEqual(['kurbani', null, null])
  expect(keysOf([{ name: 'toString' }, { name: '__proto__' }])).toEqual([null, null])
})

describe('any content of the storage', () => {
  test.each([
    null,
    undefined,
    '',
    'null',
    '{}',
    '"x"',
    '5',
    '[',
    'cartData',
    '[[[]]]',
    '[null,1,"x",[],{}]',
    '['.repeat(5000),
    `[${'1'.repeat(1_100_000)}]`,
  ])('%.40j is an empty cart', (stored) => {
    expect(parseCart(stored)).toEqual([])
  })

  test.each([
    ['no id', { productId: undefined }],
    ['an id of text', { productId: 'abc' }],
    ['an id below one', { productId: 0 }],
    ['half an id', { productId: 1.5 }],
    ['no name', { productName: '' }],
    ['no price', { basePrice: null }],
    ['a negative price', { basePrice: -1 }],
    ['a price above the maximum', { basePrice: 1e12 }],
    ['a price finer than a poisha', { basePrice: 1.001 }],
    ['no quantity', { quantity: undefined }],
    ['a quantity of zero', { quantity: 0 }],
    ['a huge quantity', { quantity: 1e9 }],
    ['two of an animal', { isUnique: true, quantity: 2 }],
  ])('a line with %s is dropped', (_name, wrong) => {
    expect(
      parseCart(
        JSON.stringify([
          { ...least, ...wrong },
          { ...least, productId: 2 },
        ]),
      ).map((item) => item.productId),
    ).toEqual([2])
  })

  test.each([
    ['half of a whole', { quantity: 0.5 }],
    ['no sum of sizes', { size: '5,10', quantity: 7 }],
  ])('a line with %s stays, and cannot be ordered until its quantity is changed', (_name, quantity) => {
    const [item] = parseCart(JSON.stringify([{ ...least, ...quantity }]))
    expect(item).toMatchObject(quantity)
    const { problems } = quoteOrder(
      { products: [cartItemToQuoteProduct(item as CartItem)], area: null, coupon: null },
      { lines: chosenLines([item as CartItem]), paymentType: null, partial: null },
    )
    expect(problems).toContainEqual(expect.objectContaining({ reason: 'quantity-not-allowed', productId: item?.productId }))
    expect(updateQuantity([item as CartItem], least.productId, quantityAfterPlus(item as CartItem))).toMatchObject({ ok: true })
  })

  test('keys of the prototype are ignored', () => {
    const stored = '[{"__proto__":{"productId":1,"productName":"x","basePrice":1,"quantity":1},"constructor":{"prototype":{"polluted":1}}}]'
    expect(parseCart(stored)).toEqual([])
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })

  test('a picture is a path of this shop or an https URL', () => {
    const pictures = [
      'javascript:alert(1)',
      '//evil.example/x.png',
      '/\\evil',
      'http://x/y.png',
      'data:text/html,x',
      '/uploads/a.webp',
      'https://x/y.png',
    ]
    expect(pictures.map((productImage) => parseCart(JSON.stringify([{ ...least, productImage }]))[0]?.productImage)).toEqual([
      '',
      '',
      '',
      '',
      '',
      '/uploads/a.webp',
      'https://x/y.png',
    ])
  })

  test('the second line of a product is dropped, and lines after the hundredth', () => {
    expect(parseCart(JSON.stringify([least, { ...least, quantity: 3 }]))).toMatchObject([{ quantity: 1 }])
    expect(parseCart(JSON.stringify(Array.from({ length: 150 }, (_, index) => ({ ...least, productId: index + 1 }))))).toHaveLength(100)
  })

  test('never throws, and the result is a cart that can be priced', () => {
    const field = fc.oneof(fc.constantFrom(...Object.keys(cartItemOf(mango)), '__proto__', 'toString'), fc.string())
    const line = fc.oneof(
      fc.dictionary(field, fc.jsonValue()),
      fc.dictionary(field, fc.jsonValue()).map((noise) => ({ ...least, ...noise })),
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc.array(line).map((lines) => JSON.stringify(lines)),
        ),
        (stored) => {
          const cart = parseCart(stored)
          expect(parseCart(storedCart(cart))).toEqual(cart)
          const data = { products: cart.map((item) => cartItemToQuoteProduct(item)), area: null, coupon: null }
          expect(quoteOrder(data, { lines: chosenLines(cart), paymentType: 'full', partial: null }).total).toBeGreaterThanOrEqual(0)
        },
      ),
    )
  })
})

test('the cart and the order have the same total', () => {
  const price = fc.integer({ min: 0, max: 1e9 }).map((poisha) => poisha / 100)
  const products = fc.array(
    fc.record({
      price,
      discount: fc.integer({ min: 0, max: 100 }),
      shipping_cost: price,
      advance_minimum: price,
      size: fc.constantFrom(null, '5,10', '0.5,1'),
    }),
    { minLength: 1, maxLength: 6 },
  )
  fc.assert(
    fc.property(products, (given) => {
      const list = given.map((one, index) => ({ ...mango, ...one, id: index + 1 }))
      const cart = parseCart(storedCart(list.map((one) => cartItemOf(one))))
      const choice = { lines: chosenLines(cart), paymentType: 'full' as const, partial: null }
      const inCart = quoteOrder({ products: cart.map((item) => cartItemToQuoteProduct(item)), area: null, coupon: null }, choice)
      expect(inCart).toEqual(quoteOrder({ products: list.map((one) => jsonToQuoteProduct(one)), area: null, coupon: null }, choice))
      expect(inCart.problems).toEqual([])
    }),
  )
})

/** The product of a quote from its JSON. */
function jsonToQuoteProduct(product: ProductJson): QuoteProduct {
  return {
    id: product.id,
    name: product.product_type,
    status: product.status,
    basePrice: takaToPoisha(product.price),
    discount: discountOf(product.discount, product.discount_type),
    sizesMilli: parseSizes(product.size),
    isUnique: product.is_unique,
    stockMilli: null,
    deliveryGroup: product.delivery_group,
    shipping: takaToPoisha(product.shipping_cost),
    advance: advanceTerms(product.advance_minimum, product.advance_percentage, product.advance_round_figure),
    couponApplicable: product.coupon_applicable,
    codAllowed: product.cod_allowed,
  }
}
