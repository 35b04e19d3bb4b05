// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { SoldSale } from '#features/pos/sale-queries.server.ts'
import { poisha, ZERO } from '#lib/format/money.ts'
import { cleanUpAfterEach, renderInPage, stubServer } from '../admin/ui/testing.tsx'
import { ReturnForm } from './return-form.tsx'

cleanUpAfterEach()

const PAID = poisha(50_000)

const SALE: SoldSale = {
  id: 7,
  status: 'delivered',
  name: 'Karim',
  phone: '01711000001',
  customerId: null,
  placedAt: '2026-11-20T06:00:00Z',
  cashCarried: ZERO,
  isSettled: false,
  creditPaid: ZERO,
  extraMethods: [],
  paidBy: [{ method: 'cash', amount: PAID }],
  returns: [],
  total: PAID,
  shipping: ZERO,
  paid: PAID,
  returnedWorth: ZERO,
  lines: [
    {
      productId: 3,
      name: 'Mango',
      unit: 'kg',
      tagNumber: null,
      isAnimal: false,
      price: poisha(25_000),
      quantityMilli: 2000,
      returnedMilli: 0,
      total: PAID,
      discount: ZERO,
      weighed: ZERO,
    },
  ],
}

const type = (field: string, text: string) => fireEvent.change(screen.getByRole('textbox', { name: field }), { target: { value: text } })

function openForm() {
  renderInPage(<ReturnForm sale={SALE} allowance={null} roundsCash={false} methods={[]} />)
  type('Return quantity of Mango', '2')
  type('Reason', 'Spoiled')
  return screen.getByRole<HTMLButtonElement>('button', { name: 'Confirm return' })
}

it('an amount that cannot be read is not refunded in cash', () => {
  const confirm = openForm()
  expect(confirm.disabled).toBe(false)
  type('bKash', '1o0')
  expect(confirm.disabled).toBe(true)
  type('bKash', '100')
  expect(confirm.disabled).toBe(false)
})

it('the transaction id of a method that was taken back is not sent', async () => {
  const sent = stubServer({ status: 422, body: { message: 'No' } })
  const confirm = openForm()
  type('Bank', '100')
  type('Bank transaction ID', 'X')
  type('Bank', '')
  type('bKash', '100')
  type('bKash transaction ID', '8N7A6BX1P9')
  fireEvent.submit(confirm.form!)
  await expect.poll(() => sent.length).toBe(1)
  expect(sent[0]?.body).toMatchObject({ refund: { cash: 400, bkash: 100 } })
  expect(sent[0]?.body).toHaveProperty('transaction_ids', { bkash: '8N7A6BX1P9' })
})

it('a refused return leads to its first wrong field', async () => {
  stubServer({ status: 422, body: { message: 'No', errors: { reason: ['Write why.'] } } })
  const confirm = openForm()
  confirm.focus()
  fireEvent.submit(confirm.form!)
  await expect.poll(() => document.activeElement?.getAttribute('name')).toBe('reason')
})
