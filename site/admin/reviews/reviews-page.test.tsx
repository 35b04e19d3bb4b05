// @vitest-environment happy-dom
import { act, fireEvent, screen, within } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { pendingToasts } from '#components/toast.tsx'
import type { ReviewRow } from '#features/reviews/types.ts'
import { cleanUpAfterEach, renderInPage, stubServer } from '../ui/testing.tsx'
import { Page } from './reviews.page.tsx'

cleanUpAfterEach()

const ROW: ReviewRow = {
  id: 7,
  order_id: 12,
  product_id: 3,
  product_en: 'Mango',
  product_bn: 'আম',
  rating: 5,
  body: 'Sweet',
  name: 'Rahima K.',
  state: 'waiting',
  refusal: '',
  answer: '',
  version: 1,
  created_at: '2026-11-20T07:00:00Z',
  pictures: [],
}

it('an answer after a conflict leaves the review as published as another person has made it', async () => {
  vi.stubGlobal('isSecureContext', false)
  const theirs = { ...ROW, state: 'published', version: 2 }
  const sent = stubServer(
    { status: 409, body: { message: 'Saved meanwhile.', review: theirs } },
    { status: 200, body: { review: { ...theirs, answer: 'Thank you', version: 3 } } },
  )
  renderInPage(<Page page={{ rows: [ROW], prev: null, next: null }} state="waiting" />)
  fireEvent.click(screen.getByRole('button', { name: 'Answer or refuse the review by Rahima K.' }))
  const dialog = within(screen.getByRole('dialog'))
  const answer = dialog.getByLabelText(/^Reply of the shop/)
  fireEvent.change(answer, { target: { value: 'Thank you' } })
  const save = () => act(async () => fireEvent.submit(answer.closest('form')!))
  await save()
  dialog.getByText('Saved meanwhile.')
  expect(dialog.getByRole<HTMLSelectElement>('combobox').value).toBe('published')
  await save()
  const saves = sent.filter(({ method }) => method === 'POST').map(({ body }) => body)
  expect(saves).toMatchObject([
    { state: 'waiting', answer: 'Thank you', version: 1 },
    { state: 'published', answer: 'Thank you', version: 2 },
  ])
})

it('a review that a press without an answer has published is no conflict', async () => {
  vi.stubGlobal('isSecureContext', false)
  stubServer(null, { status: 409, body: { message: 'Saved meanwhile.', review: { ...ROW, state: 'published', version: 2 } } })
  renderInPage(<Page page={{ rows: [ROW], prev: null, next: null }} state="waiting" />)
  const publish = () => act(async () => fireEvent.click(screen.getByRole('button', { name: /^Publish/ })))
  await publish()
  await publish()
  expect(pendingToasts().map(({ text }) => text)).not.toContain('Saved meanwhile.')
  expect(screen.queryByRole('button', { name: /^Publish/ })).toBeNull()
})

it('an answer that a press without an answer has saved is no conflict', async () => {
  vi.stubGlobal('isSecureContext', false)
  const row = { ...ROW, id: 8, state: 'refused' as const, refusal: 'Old' }
  const saved = { ...row, refusal: 'বা\u09a1\u09bcি', answer: 'Thank you', version: 2 }
  stubServer(null, { status: 409, body: { message: 'Saved meanwhile.', review: saved } })
  renderInPage(<Page page={{ rows: [row], prev: null, next: null }} state="refused" />)
  fireEvent.click(screen.getByRole('button', { name: 'Answer or refuse the review by Rahima K.' }))
  const dialog = within(screen.getByRole('dialog'))
  fireEvent.change(dialog.getByLabelText(/^Reason/), { target: { value: 'বা\u09dcি ' } })
  const answer = dialog.getByLabelText(/^Reply of the shop/)
  fireEvent.change(answer, { target: { value: 'Thank you ' } })
  const save = () => act(async () => fireEvent.submit(answer.closest('form')!))
  await save()
  await save()
  expect(screen.queryByRole('dialog')).toBe(null)
})
