// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { SendSms } from './send-sms.tsx'
import { cleanUpAfterEach, renderInPage, stubServer } from './testing.tsx'

cleanUpAfterEach()

const press = (name: string) => act(async () => fireEvent.click(screen.getAllByRole('button', { name }).at(-1)!))
const field = () => screen.getByRole<HTMLTextAreaElement>('textbox')
const stored = () => Object.values({ ...sessionStorage }).join()

it('a typed SMS survives closing and a reload, until it is sent', async () => {
  stubServer(null, { status: 200, body: { message: 'Queued.' } })
  async function open() {
    cleanup()
    renderInPage(<SendSms phone="01711000009" url="/admin/customers/4/sms" orderId={null} />)
    await press('Send SMS')
  }
  await open()
  fireEvent.change(field(), { target: { value: 'Please call us' } })
  // Nothing but the browser's storage outlives a reload.
  expect(stored()).toContain('Please call us')
  await open()
  expect(field().value).toBe('Please call us')
  await press('Send SMS')
  expect(field().value).toBe('Please call us')
  await press('Send SMS')
  expect(stored()).not.toContain('Please call us')
})
