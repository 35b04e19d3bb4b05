// @vitest-environment happy-dom
import { act, cleanup, renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, expect, it, vi } from 'vitest'
import '#messages/en-account.ts'
import type { Address } from '#features/customers/address-rules.ts'
import { AppRoot, type PageContextValue } from '#page/page-context.tsx'
import { useAddressBook } from './use-address-book.ts'

// What a customer reads when an address is not saved, word for word as specified.

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const PAGE = { lang: 'en', path: '/cart' } as PageContextValue
const wrapper = ({ children }: { children: ReactNode }) => <AppRoot shell={PAGE}>{children}</AppRoot>
const form = { name: 'রহিমা', phone: '', alternate_phone: '', address: 'House 1', landmark: '', note: '', area_id: 1 }

/** The hook, whose calls get this answer; null: no network. */
function book(answer: { status: number; body: string } | null, customer: { id: number } | null = { id: 8 }) {
  vi.stubGlobal('fetch', async () => {
    if (answer === null) throw new TypeError('Failed to fetch')
    return new Response(answer.body, { status: answer.status })
  })
  return renderHook(() => useAddressBook(customer, []), { wrapper }).result.current
}

const html = '<html>Sign in to the network</html>'
const rejected = { message: 'Name is required', error: 'Name is required', errors: { name: ['Name is required'] } }
const full = { message: 'You have reached the limit.', error: 'You have reached the limit.' }

it.each<[string, { status: number; body: string } | null, string, string]>([
  ['the page of a network that asks to sign in', { status: 200, body: html }, 'Error', 'Server returned invalid response format'],
  ['an empty success', { status: 200, body: '' }, 'Error', 'Server returned invalid response format'],
  ['the page of a proxy', { status: 502, body: html }, 'Error', 'Server returned invalid response format'],
  ['no network', null, 'Error', 'Something went wrong with the request'],
  ['field errors', { status: 422, body: JSON.stringify(rejected) }, 'Oops...', 'Name is required'],
  ['another error', { status: 409, body: JSON.stringify(full) }, 'Error', 'You have reached the limit.'],
])('adding meets %s', async (_name, answer, title, text) => {
  expect(await book(answer).add(form)).toMatchObject({ title, text })
})

it('adding without a customer', async () => {
  expect(await book(null, null).add(form)).toMatchObject({ title: 'Error', text: 'Customer data is missing' })
})

it.each<[string, { status: number; body: string } | null, string]>([
  ['field errors', { status: 422, body: JSON.stringify(rejected) }, 'Name is required'],
  ['another error', { status: 404, body: JSON.stringify({ message: 'Not found.', error: 'Not found.' }) }, 'Not found.'],
  ['no network', null, 'Something went wrong with the request'],
])('updating meets %s', async (_name, answer, text) => {
  expect(await book(answer).update(1, form)).toMatchObject({ title: 'Oops...', text })
})

it('a deleted address is gone, also when the addresses cannot be read again', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
  vi.stubGlobal('fetch', async (url: string) => {
    if (url === '/address/all') throw new TypeError('Failed to fetch')
    return Response.json({ message: 'Deleted.' })
  })
  const saved = [1, 2].map((id) => ({ ...form, id, is_default: id === 1 }) as Address)
  const { result } = renderHook(() => useAddressBook({ id: 8 }, saved), { wrapper })
  await act(async () => expect(await result.current.remove(1)).toBe(true))
  expect(result.current.addresses.map(({ id }) => id)).toEqual([2])
  logged.mockRestore()
})
