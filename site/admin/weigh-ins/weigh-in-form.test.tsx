// @vitest-environment happy-dom
import { act, fireEvent, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import type { ScaleAnimal } from '#features/cattle/queries.server.ts'
import { pendingToasts } from '#components/toast.tsx'
import { cleanUpAfterEach, renderInPage, stubServer } from '../ui/testing.tsx'
import { ScaleForm } from './weigh-in-form.tsx'
import { Page, type Props } from './weigh-ins.page.tsx'

cleanUpAfterEach()

it('an unusual weight is announced as one, not as errors of the form', async () => {
  const errors = { weight_kg: ['On 23 Nov the weight was 394.5 kg. Is this correct?'] }
  stubServer({ status: 409, body: { message: 'This weight is unusual: check the scale.', errors } })
  const animal = { id: 64, tag_number: 'K-123', name_en: 'Bull', name_bn: 'ষাঁড়' } as unknown as ScaleAnimal
  renderInPage(<ScaleForm animal={animal} today="2026-11-30" weigher="Jamal" onHistory={() => {}} />, '/admin/weigh-ins')
  const weight = screen.getByLabelText('Weight in kg')
  fireEvent.change(weight, { target: { value: '420' } })
  await act(async () => fireEvent.submit(weight.closest('form')!))
  await screen.findByText(errors.weight_kg[0]!)
  expect(pendingToasts().map(({ text }) => text)).toEqual(['This weight is unusual: check the scale.'])
  screen.getByRole('button', { name: 'Save anyway' })
})

it('an unusual weight is confirmed for the day that was asked about, not for another one', async () => {
  const answer = { status: 409, body: { message: 'Unusual', errors: { weight_kg: ['Is this correct?'] } } }
  const sent = stubServer(answer, answer, answer)
  const animal = { id: 65, tag_number: 'K-124', name_en: 'Bull', name_bn: 'ষাঁড়' } as unknown as ScaleAnimal
  renderInPage(<ScaleForm animal={animal} today="2026-11-30" weigher="Jamal" onHistory={() => {}} />, '/admin/weigh-ins')
  const weight = screen.getByLabelText('Weight in kg')
  fireEvent.change(weight, { target: { value: '420' } })
  const submit = () => act(async () => fireEvent.submit(weight.closest('form')!))
  await submit()
  fireEvent.change(screen.getByLabelText('Weighed on'), { target: { value: '2026-11-20' } })
  expect(screen.queryByRole('button', { name: 'Save anyway' })).toBeNull()
  await submit()
  screen.getByRole('button', { name: 'Save anyway' })
  await submit()
  expect(sent.map(({ body }) => (body as { confirmed: boolean }).confirmed)).toEqual([false, false, true])
})

it('another weigh-in leaves one settlement on the page: its own', async () => {
  vi.stubGlobal('isSecureContext', false)
  const weighing = {
    order_id: 15,
    animal_id: 64,
    tag_number: 'K-123',
    customer: 'কাউন্টারের ক্রেতা',
    state: 'to-settle',
    counts_from: '2026-11-28',
    rate: 55_000,
    old_grams: 390_000,
    weigh_in: { id: 1, grams: 394_500, on: '2026-11-29', by: 'Jamal', method: 'scale', picture_url: null },
  }
  const animal = { id: 64, tag_number: 'K-123', name_en: 'Bull', name_bn: 'ষাঁড়', weight_kg: 394.5, weighed_on: '2026-11-29', order_id: 15 }
  const later = { ...weighing, weigh_in: { ...weighing.weigh_in, id: 2, grams: 396_000, on: '2026-11-30' } }
  const saved = { weigh_in_id: 2, order_id: 15, outcome: later, weighing: later, animal: { ...animal, weight_kg: 396 }, history: [] }
  stubServer({ status: 200, body: saved })
  const props = { tag: '', found: [], animal, weighing, history: [], unsettled: { rows: [], total: 0 }, due: { rows: [], total: 0 } }
  renderInPage(<Page {...(props as unknown as Props)} recent={[]} today="2026-11-30" weigher="Jamal" />, '/admin/weigh-ins')
  screen.getByText('Walk-in customer')
  screen.getByText(/394.5 kg now/)
  const weight = screen.getByLabelText('Weight in kg')
  fireEvent.change(weight, { target: { value: '396' } })
  await act(async () => fireEvent.submit(weight.closest('form')!))
  await screen.findByText(/396 kg now/)
  expect(screen.getAllByRole('button', { name: /^Settle order 15/ })).toHaveLength(1)
})
