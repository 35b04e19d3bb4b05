// @vitest-environment happy-dom
import { act, fireEvent, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { pendingToasts } from '#components/toast.tsx'
import type { ReturnedAnimal } from '#features/orders/status/returned-animals.server.ts'
import { cleanUpAfterEach, renderInPage, stubServer } from '../ui/testing.tsx'
import { ReturnedAnimals } from './returned-animals.tsx'

cleanUpAfterEach()

const COW: ReturnedAnimal = {
  id: 7,
  version: 2,
  name: 'Lalu',
  tag: 'K-7',
  order_id: 15,
  returned_at: '2026-11-20T07:00:00Z',
  reason: 'Too heavy',
  is_ill: false,
  is_shown: true,
  note: '',
}

it('a conflict shows the animals as they are, and keeps what was typed for the next try', async () => {
  const sent = stubServer(
    { status: 409, body: { message: 'Changed.', returned: [{ ...COW, version: 3, is_ill: true, note: 'Limps' }] } },
    { status: 200, body: { returned: [] } },
  )
  renderInPage(<ReturnedAnimals animals={[COW]} />)
  const open = () => fireEvent.click(screen.getByRole('button', { name: 'Decide about K-7' }))
  const save = () => act(async () => fireEvent.click(screen.getByRole('button', { name: 'Save' })))
  open()
  fireEvent.change(screen.getByRole('combobox'), { target: { value: 'healthy' } })
  fireEvent.change(screen.getByRole('textbox'), { target: { value: 'Seen by the vet' } })
  await save()
  expect(screen.queryByRole('dialog')).toBe(null)
  screen.getByText(/Limps/)
  open()
  await save()
  const typed = { outcome: 'healthy', reason: 'Seen by the vet' }
  expect(sent.map(({ body }) => body)).toEqual([
    { ...typed, version: 2 },
    { ...typed, version: 3 },
  ])
})

it.each([
  [true, 'K-7 is for sale again.'],
  [false, 'K-7 is no longer on hold. It is hidden: publish it on its page.'],
])('says of an animal that the shop shows (%s): %s', async (is_shown, text) => {
  stubServer({ status: 200, body: { returned: [] } })
  renderInPage(<ReturnedAnimals animals={[{ ...COW, is_shown }]} />)
  fireEvent.click(screen.getByRole('button', { name: 'Decide about K-7' }))
  fireEvent.change(screen.getByRole('combobox'), { target: { value: 'healthy' } })
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Save' })))
  expect(pendingToasts().at(-1)?.text).toBe(text)
})
