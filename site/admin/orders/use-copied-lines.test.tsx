// @vitest-environment happy-dom
import { act, renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, expect, it, vi } from 'vitest'
import { pendingToasts } from '#components/toast.tsx'
import { AppRoot } from '#page/page-context.tsx'
import { storeDraft } from '../ui/draft.ts'
import { PAGE, stubServer, cleanUpAfterEach } from '../ui/testing.tsx'
import { useAdminForm } from '../ui/use-form.ts'
import { BLANK_NEW_ORDER, blankLine, type NewOrderValues } from './order-values.ts'
import { type CopiedLine, useCopiedLines } from './use-copied-lines.ts'

cleanUpAfterEach()
afterEach(() => void vi.useRealTimers())

const COPIED = [{ product_id: 7, name: 'Himsagar', quantity: 2 }]
const MANGO = {
  id: 7,
  status: 'in-stock',
  price: 120,
  discount: null,
  discount_type: null,
  size: null,
  is_unique: false,
  unit: 'kg',
  image: null,
}
const product = {
  status: 200,
  body: {
    ...MANGO,
    max_quantity: 90,
    delivery_group: 'produce',
    shipping_cost: 60,
    picture: null,
    advance_minimum: 0,
    advance_percentage: 0,
    advance_round_figure: 0,
  },
}

async function open(copied: CopiedLine[] = COPIED) {
  const wrapper = ({ children }: { children: ReactNode }) => <AppRoot shell={PAGE}>{children}</AppRoot>
  const useOrder = () => {
    const form = useAdminForm<NewOrderValues>({
      id: 'order-again-4',
      initial: BLANK_NEW_ORDER,
      save: async () => ({ ok: true, body: null }),
    })
    return { form, isLoading: useCopiedLines('order-again-4', form, copied) }
  }
  const { result } = renderHook(useOrder, { wrapper })
  await act(async () => {})
  return result
}

it('the lines of the earlier order are loaded at the prices of today', async () => {
  stubServer(product)
  const { form, isLoading } = (await open()).current
  expect([isLoading, form.values.products]).toMatchObject([false, [{ product_id: 7, quantity: '2', price_on_order: '120' }]])
})

it.each([
  ['that nobody typed is that of today, when a discount has begun', '120', '100'],
  ['that was typed stays while the list price does', '110', '110'],
])('the price of a draft %s', async (_name, price_on_order, expected) => {
  stubServer({ ...product, body: { ...product.body, discount: 20, discount_type: 'fixed' } })
  const { form } = (await open([{ ...COPIED[0]!, base_price: 120, usual_price: 120, price_on_order }])).current
  expect(form.values.products).toMatchObject([{ price_on_order: expected, usual_price: 100 }])
})

it('lines that were changed before a reload stay as they were typed', async () => {
  const sent = stubServer(product)
  storeDraft('1:order-again-4', {
    values: { products: [{ ...blankLine(), product_id: 7, product_name: 'Himsagar', quantity: '5' }] },
    version: null,
  })
  const { form } = (await open()).current
  expect([sent, form.values.products]).toMatchObject([[], [{ product_id: 7, quantity: '5' }]])
})

const FAILURES = [null, { status: 503, body: {} }]

it.each(FAILURES)('a product is asked for again after a failure (%j), and nothing is put into the form before', async (answer) => {
  vi.useFakeTimers()
  stubServer(answer, product)
  const order = await open()
  expect([order.current.isLoading, order.current.form.isDirty]).toEqual([true, false])
  await act(() => vi.advanceTimersByTimeAsync(1000))
  expect(order.current.form.values.products).toMatchObject([{ product_id: 7, price_on_order: '120' }])
})

it.each(FAILURES)('a product without an answer (%j) stays as text, to be chosen again', async (answer) => {
  vi.useFakeTimers()
  stubServer(answer, answer)
  const order = await open()
  await act(() => vi.advanceTimersByTimeAsync(1000))
  const { form, isLoading } = order.current
  expect([isLoading, form.values.products]).toMatchObject([false, [{ product_id: '', product_name: 'Himsagar', quantity: '2' }]])
  expect(pendingToasts().at(-1)?.text).toBe('Couldn’t load Himsagar. Choose it again.')
})

it.each([
  { status: 404, body: {} },
  { ...product, body: { ...product.body, status: 'sold' } },
])('a product that is gone is named and left out', async (answer) => {
  stubServer(answer)
  const { form } = (await open()).current
  expect(form.values.products).toMatchObject([{ product_name: '' }])
  expect(pendingToasts().at(-1)?.text).toBe('No longer available: Himsagar')
})

it('other fields that were typed before a reload do not keep the lines away', async () => {
  stubServer(product)
  storeDraft('1:order-again-4', { values: { name: 'Rahima' }, version: null })
  const { form } = (await open()).current
  expect(form.values).toMatchObject({ name: 'Rahima', products: [{ product_id: 7, quantity: '2' }] })
})
