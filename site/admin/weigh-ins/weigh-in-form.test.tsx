// @vitest-environment happy-dom
import { act, fireEvent, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { ScaleAnimal } from '#features/cattle/queries.server.ts'
import { pendingToasts } from '#components/toast.tsx'
import { cleanUpAfterEach, renderInPage, stubServer } from '../ui/testing.tsx'
import { ScaleForm } from './weigh-in-form.tsx'

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
