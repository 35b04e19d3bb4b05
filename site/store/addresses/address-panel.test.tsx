// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, it } from 'vitest'
import '#messages/en-account.ts'
import type { Address } from '#features/customers/address-rules.ts'
import { AppRoot, type PageContextValue } from '#page/page-context.tsx'
import { AddressList, AddressPanel } from './address-panel.tsx'
import type { AddressBook } from './use-address-book.ts'

afterEach(cleanup)

const PAGE = { lang: 'en', path: '/account/addresses' } as PageContextValue
const addressOf = (id: number) =>
  ({ id, name: `Rahima ${id}`, phone: '', alternate_phone: '', address: `House ${id}`, landmark: '', note: '', area_id: 1 }) as Address

function Book() {
  const [addresses, setAddresses] = useState([addressOf(1), addressOf(2)])
  const remove = async (id: number) => {
    setAddresses((before) => before.filter((address) => address.id !== id))
    return true
  }
  const [chosen, setChosen] = useState<Address | null>(null)
  const choose = async (id: number) => setChosen(addressOf(id))
  const book = { addresses, chosen, choose, remove } as unknown as AddressBook
  const areas = [{ id: 1, area_name: 'Banani' }]
  return <AddressList book={book} areas={areas} accountPhone="01711000000" onView={() => {}} onChosen={() => {}} />
}

it('the focus of a deleted address goes to the message that it is deleted', async () => {
  render(
    <AppRoot shell={PAGE}>
      <Book />
    </AppRoot>,
  )
  const [first] = screen.getAllByRole('button', { name: /Delete/ })
  first!.focus()
  fireEvent.click(first!)
  const asked = within(screen.getByRole('dialog')).getByRole('button', { name: /Delete/ })
  fireEvent.click(asked)
  first!.focus() // As a browser does when the dialog closes.
  const message = await screen.findByText(/deleted successfully/)
  expect(screen.queryByText('House 1')).toBeNull()
  await expect.poll(() => document.activeElement?.contains(message) && document.activeElement.role).toBe('status')
})

it('the focus of a chosen address stays at it, where its button became a word', () => {
  render(
    <AppRoot shell={PAGE}>
      <Book />
    </AppRoot>,
  )
  for (const id of [1, 2, 1]) {
    const button = screen.getByRole('button', { name: `Deliver here: Rahima ${id}, House ${id}` })
    button.focus()
    fireEvent.click(button)
    expect(document.activeElement?.textContent).toContain('Selected')
    expect(document.activeElement?.closest('li')?.textContent).toContain(`House ${id}`)
  }
})

it('an address that is sent after the session has ended leads to the login, and back to this page', async () => {
  const error = { title: 'Error', text: 'Please log in.', errors: {}, isSignedOut: true }
  const book = { addresses: [], chosen: null, add: async () => error } as unknown as AddressBook
  const areas = [{ id: 1, area_name: 'Banani' }]
  history.replaceState(null, '', '/cart#details')
  render(
    <AppRoot shell={PAGE}>
      <AddressPanel book={book} areas={areas} account={{ id: 1, name: 'Rahima', phone: '01711000000' }} view="add" onClose={() => {}} />
    </AppRoot>,
  )
  fireEvent.change(screen.getByLabelText(/^Address/), { target: { value: 'House 1' } })
  fireEvent.change(screen.getByRole('combobox'), { target: { value: '1' } })
  fireEvent.click(screen.getByRole('button', { name: 'Save address' }))
  const link = await screen.findByRole('link', { name: 'Log in' })
  expect(link.getAttribute('href')).toBe('/login?next=%2Fcart%23details')
})
