// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { cleanUpAfterEach, renderInPage } from '../ui/testing.tsx'
import { Page, type Props } from './order-create.page.tsx'
import { BLANK_NEW_ORDER } from './order-values.ts'

cleanUpAfterEach()

const AREA = { id: 3, area_name: 'Savar', produce_charge: 80, cattle_charge: null }
const LINE = { product_id: 7, name: 'Himsagar', quantity: '2', base_price: 120, price_on_order: '120', usual_price: 120 }
const MANGO = { id: 7, status: 'in-stock', price: 120, discount: null, size: null, is_unique: false, unit: 'kg', max_quantity: 90 }
const TERMS = { delivery_group: 'produce', shipping_cost: 60, advance_minimum: 0, advance_percentage: 0, advance_round_figure: 0 }

function draftOf(): Props['draft'] {
  const { products: _products, advance_drawer: _drawer, ...values } = BLANK_NEW_ORDER
  const form = { ...values, phone: '01711000009', name: 'Karim', address: 'House 1', area_id: '3', products: [LINE] }
  return { id: 5, version: 2, form } as unknown as Props['draft']
}

/** Answers all calls of the page, and returns those that create an order: the key and the draft of each. */
function stubShop() {
  const created: { key: string | null; draft: unknown }[] = []
  vi.stubGlobal('fetch', async (url: string | URL, init: RequestInit = {}) => {
    const path = String(url)
    if (path.startsWith('/api/products/')) return Response.json({ ...MANGO, ...TERMS })
    if (path.startsWith('/api/admin/orders/customer')) return Response.json({ customer: null })
    if (path !== '/admin/orders/store') return new Response(null, { status: 304 })
    const { draft } = JSON.parse(String(init.body)) as { draft?: unknown }
    created.push({ key: new Headers(init.headers).get('idempotency-key'), draft })
    return Response.json({ message: 'Created.', order_id: 41, redirect: '/admin/orders' })
  })
  return created
}

const press = (name: string) => act(async () => fireEvent.click(screen.getByRole('button', { name })))

async function openDraft() {
  const created = stubShop()
  vi.stubGlobal('isSecureContext', false)
  vi.spyOn(location, 'assign').mockImplementation(() => {})
  const calendar = { daysAhead: 7, closedWeekdays: [], fullDays: {} }
  const none = { phone: '', booked: null, copied: null, hasDrawer: false }
  renderInPage(<Page {...none} areas={[AREA]} draft={draftOf()} listOn="2026-06-01" calendar={calendar} />)
  await waitFor(() => expect(screen.getByLabelText('Quantity')).toMatchObject({ value: '2' }))
  return created
}

it('a second press before the next page repeats the order of a draft', async () => {
  const created = await openDraft()
  await press('Create order')
  await press('Create order')
  expect(created).toEqual([
    { key: expect.any(String), draft: { id: 5, version: 2 } },
    { key: created[0]!.key, draft: { id: 5, version: 2 } },
  ])
})

it('a product that is typed over is no longer counted', async () => {
  await openDraft()
  const [summary] = screen.getAllByRole('complementary', { name: 'Order summary' })
  const amounts = () =>
    within(summary!)
      .getAllByRole('definition')
      .map(({ textContent }) => textContent)
  expect(amounts()).toEqual(['৳240', '৳80', '৳320', '৳320'])
  fireEvent.change(screen.getByLabelText('Product'), { target: { value: 'Langra' } })
  expect(amounts()).toEqual(['৳0', '৳0', '৳0', '৳0'])
  expect(screen.getByLabelText('Quantity')).toMatchObject({ value: '2' })
  expect(screen.getByLabelText('Unit price')).toMatchObject({ value: '' })
})

it('a draft that is saved again after a lost answer names the earlier attempt, until it is another order', async () => {
  await openDraft()
  const sent: (string | null)[] = []
  const lose = async (url: string | URL, init: RequestInit = {}) => {
    if (!String(url).startsWith('/admin/orders/drafts/')) return Response.json({ customer: null })
    sent.push(new Headers(init.headers).get('x-earlier-keys'))
    throw new TypeError('connection lost')
  }
  vi.stubGlobal('fetch', lose)
  const note = (text: string) => fireEvent.change(screen.getByLabelText(/^Note/), { target: { value: text } })
  note('after 5')
  await press('Save draft')
  note('after 6')
  await press('Save draft')
  expect(sent).toEqual([null, expect.stringMatching(/^\S+$/)])
  // The next page finds what was typed; discarded, it is another order.
  cleanup()
  await openDraft()
  vi.stubGlobal('fetch', lose)
  await press('Discard')
  note('after 7')
  await press('Save draft')
  expect(sent.at(-1)).toBe(null)
})

it('after the order of a draft a new form is opened: the draft has ended', async () => {
  await openDraft()
  await press('Create and next')
  expect(location.assign).toHaveBeenCalledWith('/admin/orders/create')
})

it('an order whose answer was lost is named when it is sent again with other words; a further press creates another', async () => {
  await openDraft()
  const sent: (string | null)[] = []
  const created = { message: 'Order 41 is created.', reason: 'created', order_id: 41 }
  vi.stubGlobal('fetch', async (url: string | URL, init: RequestInit = {}) => {
    if (String(url) !== '/admin/orders/store') return Response.json({ customer: null })
    sent.push(new Headers(init.headers).get('x-earlier-keys'))
    if (sent.length === 1) throw new TypeError('connection lost')
    return Response.json(created, { status: 409 })
  })
  await press('Create order')
  fireEvent.change(screen.getByLabelText(/^Note/), { target: { value: 'Gate 2' } })
  await press('Create order')
  expect(screen.getAllByText('Order 41 is created.').length).toBeGreaterThan(0)
  expect(screen.queryByRole('button', { name: 'Load the saved version' })).toBeNull()
  expect(screen.getByRole('link', { name: 'Open order' }).getAttribute('href')).toBe('/admin/orders/update/41')
  await press('Create order')
  expect(sent).toEqual([null, expect.stringMatching(/^\S+$/), null])
})

it('an order names the draft whose saving had no answer', async () => {
  await openDraft()
  const keys: (string | null)[] = []
  vi.stubGlobal('fetch', async (url: string | URL, init: RequestInit = {}) => {
    const headers = new Headers(init.headers)
    if (String(url) === '/admin/orders/store') keys.push(headers.get('x-draft-keys'))
    else if (String(url).startsWith('/admin/orders/drafts/')) keys.push(headers.get('idempotency-key'))
    else return Response.json({ customer: null })
    throw new TypeError('connection lost')
  })
  await press('Create order')
  await press('Save draft')
  await press('Create order')
  expect(keys).toEqual([null, expect.stringMatching(/^\S+$/), keys[1]])
})

it('what is typed while a draft is saved is saved with it, before the page is left', async () => {
  await openDraft()
  const sent: unknown[][] = []
  const arrived: (() => void)[] = []
  vi.stubGlobal('fetch', (url: string | URL, init: RequestInit = {}) => {
    if (!String(url).startsWith('/admin/orders/drafts')) return Promise.resolve(Response.json({ customer: null }))
    const { form } = JSON.parse(String(init.body)) as { form: { note: string } }
    const { 'idempotency-key': key, 'x-earlier-keys': earlier } = init.headers as Record<string, string>
    sent.push([form.note, key, earlier])
    return new Promise<Response>((resolve) => arrived.push(() => resolve(Response.json({ id: 5, version: 3 }))))
  })
  const note = (text: string) => fireEvent.change(screen.getByLabelText(/^Note/), { target: { value: text } })
  note('after 5')
  await press('Save draft')
  note('after 5, Gate 2')
  await act(async () => arrived[0]!())
  await vi.waitFor(() => expect(arrived).toHaveLength(2))
  expect(location.assign).not.toHaveBeenCalled()
  await act(async () => arrived[1]!())
  await vi.waitFor(() => expect(location.assign).toHaveBeenCalledWith('/admin/orders/create?draft=5'))
  expect(sent.map(([text]) => text)).toEqual(['after 5', 'after 5, Gate 2'])
  // The shop finds the draft of the first request by its key.
  expect(String(sent[1]![2]).split(' ')).toContain(sent[0]![1])
})
