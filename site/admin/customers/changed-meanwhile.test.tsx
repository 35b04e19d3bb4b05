// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { pendingToasts } from '#components/toast.tsx'
import { poisha } from '#lib/format/money.ts'
import { cleanUpAfterEach, renderInPage, stubServer } from '../ui/testing.tsx'
import { Page as EditPage } from './customer-edit.page.tsx'
import { CreditLimit } from './statement.page.tsx'

cleanUpAfterEach()

const CUSTOMER = { id: 9, name: 'Rahim', phone: '01712345678', email: '', owns_account: false }
const STALE = { status: 409, body: { message: 'Someone else has changed this.' } }
const type = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } })
const openCustomer = (name: string) => renderInPage(<EditPage customer={{ ...CUSTOMER, name }} />, '/admin/customers/9/edit')

it('the details of a customer are restored as older than what another person saved', async () => {
  vi.stubGlobal('isSecureContext', false)
  openCustomer('Rahim')
  type('Name', 'Rahim Uddin')
  await waitFor(() => expect(sessionStorage).toHaveLength(1))
  cleanup()
  openCustomer('Abdur Rahim')
  await screen.findByText(/^Your unsaved changes have been restored, but someone else/)
  expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('Rahim Uddin')
})

it.each([
  ['no answer', null],
  ['an answer of the server that may have saved it', { status: 503, body: { message: 'Temporarily unavailable.' } }],
  ['an answer of a proxy', { status: 502, body: null }],
])('what a press with %s has saved is no change of another person', async (_name, lost) => {
  vi.stubGlobal('isSecureContext', false)
  stubServer(lost, STALE)
  openCustomer('Rahim')
  type('Name', 'Rahim Uddin')
  const save = () => act(async () => fireEvent.submit(screen.getByLabelText('Name').closest('form')!))
  await save()
  await save()
  const own = 'This was saved in the meantime, perhaps when you pressed the button before. Load it to compare; what you typed stays.'
  await screen.findAllByText(own)
  // The failure before is no longer true.
  expect(pendingToasts().map(({ text }) => text)).toEqual([own])
  cleanup()
  openCustomer('Rahim Uddin')
  await waitFor(() => expect(sessionStorage).toHaveLength(0))
  expect(screen.queryByText(/have been restored/)).toBeNull()
})

it('what a press without an answer has saved is no draft, however it was typed', async () => {
  vi.stubGlobal('isSecureContext', false)
  const reopened = async (saved: typeof CUSTOMER) => {
    await waitFor(() => expect(sessionStorage).toHaveLength(1))
    cleanup()
    renderInPage(<EditPage customer={saved} />, '/admin/customers/9/edit')
    await waitFor(() => expect(sessionStorage).toHaveLength(0))
    expect(screen.queryByText(/have been restored/)).toBeNull()
  }
  openCustomer('Rahim')
  type('Name', 'বা\u09dcি ')
  type('Phone', '+৮৮০১৭১২৩৪৫৬৭৯')
  await reopened({ ...CUSTOMER, name: 'বা\u09a1\u09bcি', phone: '01712345679' })
  cleanup()
  renderInPage(<CreditLimit id={9} limit={poisha(50_000)} />, '/admin/customers/9/statement')
  type('Credit limit', '৮০')
  await waitFor(() => expect(sessionStorage).toHaveLength(1))
  cleanup()
  renderInPage(<CreditLimit id={9} limit={poisha(8000)} />, '/admin/customers/9/statement')
  await waitFor(() => expect(sessionStorage).toHaveLength(0))
})

it('a credit limit is saved over the one that the page shows', async () => {
  vi.stubGlobal('isSecureContext', false)
  const sent = stubServer(STALE)
  renderInPage(<CreditLimit id={9} limit={poisha(50_000)} />, '/admin/customers/9/statement')
  type('Credit limit', '800')
  await act(async () => fireEvent.submit(screen.getByLabelText('Credit limit').closest('form')!))
  expect(sent).toEqual([{ url: '/admin/customers/9/credit-limit', method: 'POST', body: { credit_limit: '800', previous: 500 } }])
  await screen.findByText('Someone else has changed this.')
  screen.getByRole('button', { name: 'Load the saved version' })
  cleanup()
  renderInPage(<CreditLimit id={9} limit={poisha(70_000)} />, '/admin/customers/9/statement')
  await screen.findByText(/^Your unsaved changes have been restored, but someone else/)
})
