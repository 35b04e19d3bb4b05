// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import '#messages/en-account.ts'
import { AppRoot, type PageContextValue } from '#page/page-context.tsx'
import { UNPAID_ADVANCE } from '../testing/unpaid-advance.ts'
import { AdvancePanel, type AdvanceReport } from './advance-form.tsx'

afterEach(cleanup)

const PAGE = { lang: 'en', path: '/invoice/1', shop: { phone: '01712345678' }, sendsSms: true } as PageContextValue
const BANK = { bank: '', branch: '', accountName: '', accountNumber: '', routingNumber: '' }

type Send = (report: AdvanceReport) => Promise<string | null>

/** The page of an order as a reload shows it. */
function open(id: number, onReport: Send = () => Promise.resolve('No response.'), nagad = '01822222222') {
  cleanup()
  render(
    <AppRoot shell={PAGE}>
      <AdvancePanel
        order={{ ...UNPAID_ADVANCE, id }}
        payTo={{ bank: BANK, bkash: '01811111111', nagad }}
        hours={24}
        onReport={onReport}
        onConfirmPhone={() => Promise.resolve(null)}
      />
    </AppRoot>,
  )
}

const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name)
const typed = () => ({
  nagad: field('Nagad').checked,
  transaction: field('Transaction ID').value,
  amount: field('Amount sent (৳)').value,
  sender: field('Sent from (number or account name)').value,
})
const NOTHING = { nagad: false, transaction: '', amount: '10000', sender: '' }

it('the typed report of an advance survives a reload until it is sent, for its order alone', async () => {
  open(7)
  fireEvent.click(field('Nagad'))
  fireEvent.change(field('Transaction ID'), { target: { value: '8N7A6D5F4G' } })
  fireEvent.change(field('Amount sent (৳)'), { target: { value: '12000' } })
  fireEvent.change(field('Sent from (number or account name)'), { target: { value: '01722334457' } })
  const all = { nagad: true, transaction: '8N7A6D5F4G', amount: '12000', sender: '01722334457' }
  open(7)
  expect(typed()).toEqual(all)
  open(8)
  expect(typed()).toEqual(NOTHING)
  open(7)
  fireEvent.click(screen.getByRole('button', { name: 'Submit payment details' }))
  await screen.findByText('No response.')
  open(7, () => Promise.resolve(null))
  expect(typed()).toEqual(all)
  fireEvent.click(screen.getByRole('button', { name: 'Submit payment details' }))
  await expect.poll(() => sessionStorage.length).toBe(0)
  open(7)
  expect(typed()).toEqual(NOTHING)
})

it('a stored method that the shop no longer offers is not chosen', async () => {
  open(7)
  fireEvent.click(field('Nagad'))
  fireEvent.change(field('Transaction ID'), { target: { value: '8N7A6D5F4G' } })
  fireEvent.change(field('Sent from (number or account name)'), { target: { value: '01722334457' } })
  const sent: AdvanceReport[] = []
  const onReport: Send = async (report) => {
    sent.push(report)
    return null
  }
  open(7, onReport, '')
  expect([field('bKash').checked, field('Transaction ID').value]).toEqual([true, '8N7A6D5F4G'])
  fireEvent.click(screen.getByRole('button', { name: 'Submit payment details' }))
  await expect.poll(() => sent.map(({ method }) => method)).toEqual(['bkash'])
})
