// @vitest-environment happy-dom
import { act, fireEvent, screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, it } from 'vitest'
import type { AdminOrder } from '#features/orders/history/order-details.server.ts'
import { cleanUpAfterEach, renderInPage, stubServer } from '../ui/testing.tsx'
import { type StepAnswer, useStepQuestions } from './order-actions.tsx'

cleanUpAfterEach()

const ORDER = { id: 15, version: 1, status: 'placed', statuses: ['cancelled'], paid: 500, advances: [], reviews: [] }

function Questions({ order: first }: { order: object }) {
  const [order, setOrder] = useState(first as AdminOrder)
  const questions = useStepQuestions(order)
  return (
    <>
      <button type="button" onClick={() => void questions.ask('cancelled')}>
        Cancel it
      </button>
      <button type="button" onClick={() => void questions.ask('returned')}>
        Take it back
      </button>
      <button type="button" onClick={() => setOrder({ ...order, version: order.version + 1 })}>
        Changed by another person
      </button>
      <button type="button" onClick={questions.clearReason}>
        Cancelled
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
  const text = ask({ advances: [{ state: 'waiting' }], reviews: [{ id: 1 }] })
  expect(text).toContain('৳500 has been paid.')
  expect(text).toContain('The customer has reported an advance that is not verified yet.')
  expect(text).toContain('A payment of this order is under review.')
})

it('the reason stays while the step is not taken, also where another person has changed the order', async () => {
  const page = renderInPage(<Questions order={ORDER} />)
  const press = (name: string) => act(async () => fireEvent.click(screen.getByText(name)))
  const reason = () => screen.getByLabelText<HTMLInputElement>(/Reason/)
  await press('Cancel it')
  fireEvent.change(reason(), { target: { value: 'The customer called' } })
  await act(async () => fireEvent.submit(reason().closest('form')!))
  await press('Changed by another person')
  await press('Cancel it')
  expect(reason().value).toBe('The customer called')
  page.unmount()
  renderInPage(<Questions order={{ ...ORDER, version: 2 }} />)
  await press('Cancel it')
  expect(reason().value).toBe('The customer called')
  await press('Cancelled')
  expect(reason().value).toBe('')
})

it('the button that returns an order after the reason asks nothing more', () => {
  renderInPage(<Questions order={{ ...ORDER, status: 'on_delivery', statuses: ['returned'] }} />)
  fireEvent.click(screen.getByText('Take it back'))
  expect(screen.getByRole('button', { name: 'Mark as returned' })).toBeDefined()
})

it('a rejected advance is not named', () => {
  expect(ask({ advances: [{ state: 'refused' }] })).not.toContain('reported an advance')
})

it.each([
  ['a collected order goes into the drawer', true, true],
  ['a delivered order stays with who delivered it', false, false],
])('the cash of %s, unless staff say otherwise', async (_name, is_collection, drawer) => {
  const check = { id: 15, name: 'Rahim', due: 700, refund: 0, animals: [], second_on: null }
  const body = { checks: [check], has_drawer: true }
  stubServer({ status: 200, body }, { status: 200, body })
  const answers: (StepAnswer | null)[] = []
  function Handover() {
    const order = { ...ORDER, status: 'on_delivery', statuses: ['delivered'], is_collection } as unknown as AdminOrder
    const { ask, dialogs } = useStepQuestions(order)
    return (
      <>
        <button type="button" onClick={() => void ask('delivered').then((answer) => answers.push(answer))}>
          Deliver it
        </button>
        {...dialogs}
      </>
    )
  }
  renderInPage(<Handover />)
  const box = () => screen.findByLabelText('The cash goes into the drawer of my shift')
  const open = () => act(async () => fireEvent.click(screen.getByText('Deliver it')))
  const go = async () => {
    const form = (await box()).closest('form')!
    await act(async () => fireEvent.submit(form))
  }
  await open()
  await go()
  await open()
  fireEvent.click(await box())
  await go()
  expect(answers).toMatchObject([
    { collected: '700', drawer },
    { collected: '700', drawer: !drawer },
  ])
})

it('before an overpaid order is delivered, the refund due is named', async () => {
  stubServer({
    status: 200,
    body: { checks: [{ id: 15, name: 'Rahim', due: 0, refund: 120, animals: [], second_on: null }], has_drawer: false },
  })
  function Handover() {
    const { ask, dialogs } = useStepQuestions({ ...ORDER, status: 'on_delivery', statuses: ['delivered'] } as unknown as AdminOrder)
    return (
      <>
        <button type="button" onClick={() => void ask('delivered')}>
          Deliver it
        </button>
        {...dialogs}
      </>
    )
  }
  renderInPage(<Handover />)
  await act(async () => fireEvent.click(screen.getByText('Deliver it')))
  expect(screen.getByRole('dialog').textContent).toContain('৳120 too much is paid.')
})

it.each([
  ['on_delivery', 'delivered or returned'],
  ['delivered', 'completed or returned'],
] as const)('before a paid order goes to %s, the steps that remain are named', async (to, steps) => {
  stubServer({ status: 200, body: { checks: [], has_drawer: false } })
  function Step() {
    const from = to === 'delivered' ? 'on_delivery' : 'processing'
    const { ask, dialogs } = useStepQuestions({ ...ORDER, status: from, statuses: [to] } as unknown as AdminOrder)
    return (
      <>
        <button type="button" onClick={() => void ask(to)}>
          Go on
        </button>
        {...dialogs}
      </>
    )
  }
  renderInPage(<Step />)
  await act(async () => fireEvent.click(screen.getByText('Go on')))
  expect(screen.getByRole('dialog').textContent).toContain(`the order can only be ${steps}.`)
})
