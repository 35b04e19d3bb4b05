// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { AdminOrder } from '#features/orders/history/order-details.server.ts'
import { cleanUpAfterEach, renderInPage } from '../ui/testing.tsx'
import { useStepQuestions } from './order-actions.tsx'

cleanUpAfterEach()

const ORDER = { id: 15, version: 1, status: 'placed', statuses: ['cancelled'], paid: 500, claims: [], reviews: [] }

function Questions({ order }: { order: object }) {
  const questions = useStepQuestions(order as AdminOrder)
  return (
    <>
      <button type="button" onClick={() => void questions.ask('cancelled')}>
        Cancel it
      </button>
      {...questions.dialogs}
    </>
  )
}

const ask = (order: object) => {
  renderInPage(<Questions order={{ ...ORDER, ...order }} />)
  fireEvent.click(screen.getByText('Cancel it'))
  return screen.getByRole('dialog').textContent
}

it('before an order is cancelled, a reported advance and a payment in review are named beside what was paid', () => {
  const text = ask({ claims: [{ state: 'waiting' }], reviews: [{ id: 1 }] })
  expect(text).toContain('৳500 has been paid.')
  expect(text).toContain('The customer has reported an advance that is not verified yet.')
  expect(text).toContain('A payment of this order is under review.')
})

it('a rejected advance is not named', () => {
  expect(ask({ claims: [{ state: 'refused' }] })).not.toContain('reported an advance')
})
