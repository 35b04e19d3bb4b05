// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { cleanUpAfterEach, renderInPage, stubServer } from '../admin/ui/testing.tsx'
import { CloseShift } from './close-shift-form.tsx'

cleanUpAfterEach()

it('sends the shift that was counted', async () => {
  const sent = stubServer({ status: 422, body: { message: 'No' } })
  renderInPage(<CloseShift shiftId={7} payments={[]} methods={[]} of={null} />)
  fireEvent.submit(screen.getByRole<HTMLButtonElement>('button', { name: 'Close shift' }).form!)
  await expect.poll(() => sent.length).toBe(1)
  expect(sent[0]?.body).toMatchObject({ counted_cash: '0.00', shift_id: 7 })
})
