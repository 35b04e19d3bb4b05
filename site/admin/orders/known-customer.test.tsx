// @vitest-environment happy-dom
import { act, fireEvent, screen } from '@testing-library/react'
import { Profiler } from 'react'
import { expect, it } from 'vitest'
import { KnownCustomer } from './known-customer.tsx'
import { BLANK_ORDER, type OrderValues } from './order-values.ts'
import { AdminForm, FormText } from '../ui/form.tsx'
import { cleanUpAfterEach, renderInPage, stubServer } from '../ui/testing.tsx'
import { useAdminForm } from '../ui/use-form.ts'

cleanUpAfterEach()

function OrderForm() {
  const form = useAdminForm<OrderValues>({
    id: 'order-new',
    initial: BLANK_ORDER,
    save: async () => ({ ok: true, body: {} }),
  })
  return (
    <AdminForm form={form} cancelHref="/">
      <FormText name="phone" label="Phone" />
      <FormText name="name" label="Name" />
      <KnownCustomer form={form} areas={[]} />
    </AdminForm>
  )
}

const type = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } })
const known = { id: 7, name: 'Rahima', email: '', orders_count: 2, last_order_at: null, is_closed: false, places: [] }

it('a complete phone is looked up once, whatever is typed elsewhere, and fills in the name', async () => {
  const sent = stubServer({ status: 200, body: { customer: known } })
  renderInPage(<OrderForm />)
  type('Phone', '01722334455')
  type('Name', 'R')
  type('Name', '')
  await screen.findByRole('link', { name: 'Rahima' })
  expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('Rahima')
  type('Name', 'Rahima Khatun')
  await act(() => new Promise((resolve) => setTimeout(resolve, 400)))
  expect(sent.map(({ url }) => url)).toEqual(['/api/admin/orders/customer?phone=01722334455'])
})

it('a letter renders the form a few times, not until React gives up', () => {
  let renders = 0
  renderInPage(
    <Profiler id="order" onRender={() => void (renders += 1)}>
      <OrderForm />
    </Profiler>,
  )
  renders = 0
  type('Name', 'R')
  expect(renders).toBeLessThan(5)
})
