// @vitest-environment happy-dom
import { act, fireEvent, screen, within } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { cleanUpAfterEach, renderInPage, stubServer } from '../ui/testing.tsx'
import { Page, type Props } from './coupon.page.tsx'

cleanUpAfterEach()

const COUPON = {
  id: 5,
  version: 1,
  code: 'EID10',
  kind: 'percentage',
  percent: 10,
  value: 0,
  max_discount: 0,
  scope: 'all',
  products: [],
  category_ids: [],
  min_subtotal: 0,
  starts_at: null,
  ends_at: null,
  max_uses: null,
  max_uses_per_customer: null,
  first_order_only: false,
  active: true,
  note: '',
  uses: 0,
  state: 'active',
} as unknown as NonNullable<Props['coupon']>

it('a coupon is stopped after it was saved on the same page', async () => {
  vi.stubGlobal('isSecureContext', false)
  vi.spyOn(location, 'reload').mockImplementation(() => {})
  const sent = stubServer(
    { status: 200, body: { coupon: { ...COUPON, version: 2, note: 'Leaked' } } },
    { status: 200, body: { version: 3 } },
  )
  renderInPage(<Page coupon={COUPON} categories={[]} />)
  fireEvent.change(screen.getByLabelText(/^Note/), { target: { value: 'Leaked' } })
  await act(async () => fireEvent.submit(screen.getByLabelText(/^Note/).closest('form')!))
  fireEvent.click(screen.getByRole('button', { name: 'Deactivate' }))
  await act(async () => fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Deactivate' })))
  expect(sent.filter(({ method }) => method === 'POST').map(({ url, body }) => [url, (body as { version: number }).version])).toEqual([
    ['/admin/coupons/5', 1],
    ['/admin/coupons/5/stop', 2],
  ])
})

it('an amount that was typed for another kind of coupon is no error', async () => {
  vi.stubGlobal('isSecureContext', false)
  const sent = stubServer({ status: 200, body: { coupon: { ...COUPON, version: 2, kind: 'others', percent: 0, value: 50 } } })
  renderInPage(<Page coupon={COUPON} categories={[]} />)
  fireEvent.change(screen.getByRole('textbox', { name: 'Percentage' }), { target: { value: '150' } })
  fireEvent.change(screen.getByLabelText('Type'), { target: { value: 'others' } })
  fireEvent.change(screen.getByLabelText('Discount (৳)'), { target: { value: '50' } })
  await act(async () => fireEvent.submit(screen.getByLabelText(/^Note/).closest('form')!))
  const [saved] = sent.filter(({ url }) => url === '/admin/coupons/5')
  expect(saved?.body).toMatchObject({ kind: 'others', percent: '', value: '50' })
})
