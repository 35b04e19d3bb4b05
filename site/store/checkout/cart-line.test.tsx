import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import '#messages/en-account.ts'
import { refreshedLines } from '#features/cart/fresh-rules.ts'
import { cartItemOf } from '#features/cart/stored-rules.ts'
import type { ProductJson } from '#features/catalog/types.ts'
import type { Quote } from '#features/pricing/quote-rules.ts'
import { AppRoot, type PageContextValue } from '#page/page-context.tsx'
import { CartLine } from './cart-line.tsx'

const PAGE = { lang: 'en', path: '/cart', shop: { phone: '' } } as PageContextValue
const guava = { id: 1, product_type: 'Guava', price: 70, status: 'in-stock', size: '2,5', discount: null, unit: 'kg' } as ProductJson
const noQuote = { lines: [], problems: [] } as unknown as Quote

it.each([
  ['2099-12-01', '2 Dec'],
  ['2099-12-02', '2 Dec'],
  ['2099-12-04', '4 Dec'],
])('with a list day of 2 December a product from %s comes from %s', (delivery_date, day) => {
  const product = { ...guava, delivery_date }
  const [line] = refreshedLines([cartItemOf(product)], new Map([[1, product]]))
  const shown = renderToStaticMarkup(
    <AppRoot shell={PAGE}>
      <CartLine line={line!} listOn="2099-12-02" quote={noQuote} onRemove={() => {}} onAccept={() => {}} />
    </AppRoot>,
  )
  expect(shown).toContain(`Delivery from ${day}`)
})
