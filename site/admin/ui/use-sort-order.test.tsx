// @vitest-environment happy-dom
import { act, fireEvent, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { cleanUpAfterEach, renderInPage } from './testing.tsx'
import { useSortOrder } from './use-sort-order.ts'

cleanUpAfterEach()

const FIRST = [1, 2, 3].map((id) => ({ id }))

function List() {
  const { rows, move } = useSortOrder(FIRST, '/admin/slots/reorder')
  return (
    <>
      <output>{rows.map(({ id }) => id).join(' ')}</output>
      <button type="button" onClick={() => move(0, 2)}>
        First to the end
      </button>
    </>
  )
}

/** Holds each call until it is answered with a status. */
function holdCalls() {
  const sent: string[] = []
  const answers: ((status: number) => void)[] = []
  vi.stubGlobal('fetch', async (_url: string, init: RequestInit) => {
    const { order } = JSON.parse(String(init.body)) as { order: { id: number }[] }
    sent.push(order.map(({ id }) => id).join(' '))
    return new Promise<Response>((resolve) => answers.push((status) => resolve(Response.json({}, { status }))))
  })
  return { sent, answer: (status: number) => act(async () => answers.shift()!(status)) }
}

const move = () => act(async () => fireEvent.click(screen.getByRole('button')))
const shown = () => screen.getByRole('status').textContent

it('saves moves one after the other, of those that wait the newest', async () => {
  const { sent, answer } = holdCalls()
  renderInPage(<List />)
  await move()
  await move()
  await move()
  expect([shown(), sent]).toEqual(['1 2 3', ['2 3 1']])
  await answer(200)
  expect(sent).toEqual(['2 3 1', '1 2 3'])
  await answer(200)
  expect(shown()).toBe('1 2 3')
})

it('shows the order that was saved last where a later move cannot be saved', async () => {
  const { sent, answer } = holdCalls()
  renderInPage(<List />)
  await move()
  await answer(200)
  await move()
  expect(shown()).toBe('3 1 2')
  await answer(503)
  expect([shown(), sent]).toEqual(['2 3 1', ['2 3 1', '3 1 2']])
})

it('an earlier move that fails is saved with the one after it', async () => {
  const { sent, answer } = holdCalls()
  renderInPage(<List />)
  await move()
  await move()
  await answer(503)
  await answer(200)
  expect([shown(), sent]).toEqual(['3 1 2', ['2 3 1', '3 1 2']])
})
