// @vitest-environment happy-dom
import { act, fireEvent, screen, within } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import type { AreaRequestRow } from '#features/area-requests/queries.server.ts'
import { cleanUpAfterEach, renderInPage, stubServer } from '../ui/testing.tsx'
import { Page } from './area-requests.page.tsx'

cleanUpAfterEach()

const ROW = {
  id: 3,
  name: 'Rahima',
  phone: '01712345678',
  place: 'Savar',
  state: 'new',
  note: '',
  version: 1,
  created_at: '2026-11-20T07:00:00Z',
} as AreaRequestRow

it('a conflict shows the other note and keeps the typed one, which the next save stores', async () => {
  vi.stubGlobal('isSecureContext', false)
  const theirs = { ...ROW, state: 'called', note: 'Asks for Friday', version: 2 }
  const sent = stubServer(
    { status: 409, body: { message: 'Saved meanwhile.', request: theirs } },
    { status: 200, body: { request: { ...theirs, note: 'Calls back', version: 3 } } },
  )
  renderInPage(<Page page={{ rows: [ROW], prev: null, next: null }} state={null} />)
  fireEvent.click(screen.getByRole('button', { name: 'Edit Rahima' }))
  const dialog = within(screen.getByRole('dialog'))
  fireEvent.change(dialog.getByLabelText('Note'), { target: { value: 'Calls back' } })
  const save = () => act(async () => fireEvent.submit(dialog.getByLabelText('Note').closest('form')!))
  await save()
  dialog.getByText(/Asks for Friday/)
  await save()
  const saves = sent.filter(({ method }) => method === 'POST').map(({ body }) => body)
  expect(saves).toMatchObject([
    { note: 'Calls back', version: 1 },
    { note: 'Calls back', version: 2 },
  ])
  expect(screen.queryByRole('dialog')).toBe(null)
})

it('the last step, whose button goes, leaves the focus of the keyboard on the button beside it', async () => {
  vi.stubGlobal('isSecureContext', false)
  const called = { ...ROW, state: 'called' } as AreaRequestRow
  stubServer({ status: 200, body: { request: { ...called, state: 'done', version: 2 } } })
  renderInPage(<Page page={{ rows: [called], prev: null, next: null }} state={null} />)
  const done = screen.getByRole('button', { name: /^(?!Edit).*Rahima$/ })
  done.focus()
  await act(async () => fireEvent.click(done, { detail: 0 }))
  expect(done.isConnected).toBe(false)
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Edit Rahima' }))
})
