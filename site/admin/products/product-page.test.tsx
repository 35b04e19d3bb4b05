// @vitest-environment happy-dom
import { act, fireEvent, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { blankProduct } from '#features/catalog/products/blank-product.ts'
import type { ProductDetails } from '#features/catalog/products/product-editor-queries.server.ts'
import { cleanUpAfterEach, renderInPage, type SentRequest, stubServer } from '../ui/testing.tsx'
import { Page } from './product.page.tsx'

cleanUpAfterEach()

const { picture_ids: _ids, stock: _stock, weight_kg: _weight, weighed_on: _day, ...blank } = blankProduct('goods')
const state = { statuses: ['in-stock', 'out-of-stock'], isArchived: false, stock: 10 }
const HONEY = {
  ...blank,
  pictures: [],
  id: 7,
  kind: 'goods',
  version: 1,
  name_en: 'Honey',
  name_bn: 'মধু',
  category_id: 1,
  price: 500,
  state,
} as unknown as ProductDetails
/** What another manager has saved, and the stock after the count. */
const dearer = { ...HONEY, version: 2, price: 650, state: { ...HONEY.state, stock: 15 } }
const RECEIVED = { id: 3, at: '2026-11-20T07:00:00Z', delta: 5, reason: 'received', order_id: null, by: 'Karim', note: null, take: null }

function open(product = HONEY) {
  vi.stubGlobal('isSecureContext', false)
  const choices = {
    categories: [{ id: 1, key: null, name: 'Food', isCattle: false }],
    seasons: [],
    season: '',
    seasonStart: null,
    scales: [],
    advance: 10_000,
    today: '2026-11-20',
  }
  renderInPage(<Page product={product} movements={[]} weighIns={[]} health={[]} waiting={0} {...choices} />)
}
const type = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } })
const savedOf = (sent: SentRequest[]) => sent.filter(({ url }) => url === '/admin/products/7').map(({ body }) => body)
const submit = (label: string) => act(async () => fireEvent.submit(screen.getByLabelText(label).closest('form')!))

it('a count after another manager saved is a conflict for the open form, not an old price', async () => {
  const sent = stubServer(
    { status: 200, body: { product: dearer, movements: [RECEIVED] } },
    { status: 200, body: { product: dearer, movements: [RECEIVED] } },
    { status: 409, body: { message: 'Saved meanwhile.' } },
  )
  open()
  type('Name in English', 'Honey of the Sundarbans')
  for (const quantity of ['5', '6']) {
    type('Quantity', quantity)
    await submit('Quantity')
  }
  await submit('Name in English')
  expect(savedOf(sent)).toMatchObject([{ version: 1, price: 500, name_en: 'Honey of the Sundarbans' }])
})

it('a count that changes nothing else leaves the open form saveable', async () => {
  const counted = { ...HONEY, version: 2, status: 'in-stock', state: dearer.state } as ProductDetails
  const sent = stubServer(
    { status: 200, body: { product: counted, movements: [RECEIVED] } },
    { status: 200, body: { product: { ...counted, version: 3 } } },
  )
  open()
  type('Name in English', 'Honey of the Sundarbans')
  type('Quantity', '5')
  await submit('Quantity')
  await submit('Name in English')
  expect(savedOf(sent)).toMatchObject([{ version: 2, name_en: 'Honey of the Sundarbans' }])
})

it('a count that another one came before keeps what was typed, and says why', async () => {
  const reload = vi.spyOn(location, 'reload').mockImplementation(() => {})
  stubServer({ status: 409, body: { message: 'Stock was entered meanwhile.', product: dearer, movements: [RECEIVED] } })
  open()
  type('Quantity', '5')
  await submit('Quantity')
  expect(reload).not.toHaveBeenCalled()
  expect(screen.getByText('Stock was entered meanwhile.')).toBeTruthy()
  expect(screen.getByLabelText('Quantity')).toMatchObject({ value: '5' })
  expect(screen.getByText(/Karim/)).toBeTruthy()
})

it.each([
  [null, 'Set by the first weigh-in'],
  [250, '৳1,30,000 by weight'],
])('an animal of %s kg has the price of its weight, once it is weighed', (weight_kg, text) => {
  const animal = { kind: 'animal', tag_number: 'K-1', sold_by_live_weight: true, price: weight_kg === null ? 1 : 130_000 }
  open({ ...HONEY, ...animal, state: { ...HONEY.state, weight_kg } } as unknown as ProductDetails)
  screen.getByText(text)
})

it.each([
  [null, ''],
  [1006, 'Booked in order 1006, which is still to be delivered. '],
])('warns before an animal of order %s is archived', async (open_order_id, warning) => {
  stubServer()
  open({ ...HONEY, state: { ...HONEY.state, open_order_id } })
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Archive' })))
  const text = `${warning}It is removed from the shop. Orders, invoices and the animal’s ID card stay.`
  expect(screen.getByRole('dialog').textContent).toContain(text)
})
