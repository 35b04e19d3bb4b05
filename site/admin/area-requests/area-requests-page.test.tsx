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
  // The state, which was not changed here, is the other person's.
  expect(saves).toMatchObject([
    { state: 'new', note: 'Calls back', version: 1 },
    { state: 'called', note: 'Calls back', version: 2 },
  ])
  expect(screen.queryByRole('dialog')).toBe(null)
})

it('what a press without an answer has saved is no conflict', async () => {
  vi.stubGlobal('isSecureContext', false)
  stubServer(null, { status: 409, body: { message: 'Saved meanwhile.', request: { ...ROW, id: 6, note: 'বা\u09a1\u09bcি', version: 2 } } })
  renderInPage(<Page page={{ rows: [{ ...ROW, id: 6 }], prev: null, next: null }} state={null} />)
  fireEvent.click(screen.getByRole('button', { name: 'Edit Rahima' }))
  const note = within(screen.getByRole('dialog')).getByLabelText('Note')
  fireEvent.change(note, { target: { value: 'বা\u09dcি ' } })
  const save = () => act(async () => fireEvent.submit(note.closest('form')!))
  await save()
  within(screen.getByRole('dialog')).getByText(/^Can’t reach the shop/)
  await save()
  expect(screen.queryByRole('dialog')).toBe(null)
})

it('a note that was typed before a conflict is there when the dialog is closed and opened again', async () => {
  vi.stubGlobal('isSecureContext', false)
  const theirs = { ...ROW, id: 4, state: 'called', version: 2 }
  stubServer({ status: 409, body: { message: 'Saved meanwhile.', request: theirs } })
  renderInPage(<Page page={{ rows: [{ ...ROW, id: 4 }], prev: null, next: null }} state={null} />)
  const open = () => fireEvent.click(screen.getByRole('button', { name: 'Edit Rahima' }))
  const note = () => within(screen.getByRole('dialog')).getByLabelText<HTMLTextAreaElement>('Note')
  open()
  fireEvent.change(note(), { target: { value: 'Calls on Sunday' } })
  await act(async () => fireEvent.submit(note().closest('form')!))
  fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Close' }))
  open()
  expect(note().value).toBe('Calls on Sunday')
})

it('a conflict of a save without a typed note shows the saved one, and the next save leaves it', async () => {
  vi.stubGlobal('isSecureContext', false)
  const theirs = { ...ROW, id: 5, note: 'Asks for Friday', version: 2 }
  const sent = stubServer(
    { status: 409, body: { message: 'Saved meanwhile.', request: theirs } },
    { status: 200, body: { request: { ...theirs, state: 'called', version: 3 } } },
  )
  renderInPage(<Page page={{ rows: [{ ...ROW, id: 5 }], prev: null, next: null }} state={null} />)
  fireEvent.click(screen.getByRole('button', { name: 'Edit Rahima' }))
  const dialog = within(screen.getByRole('dialog'))
  fireEvent.change(dialog.getByLabelText('Status'), { target: { value: 'called' } })
  const note = dialog.getByLabelText<HTMLTextAreaElement>('Note')
  const save = () => act(async () => fireEvent.submit(note.closest('form')!))
  await save()
  dialog.getByText(/Saved meanwhile/)
  expect(note.value).toBe('Asks for Friday')
  await save()
  const saves = sent.filter(({ method }) => method === 'POST').map(({ body }) => body)
  expect(saves).toMatchObject([
    { state: 'called', note: '', version: 1 },
    { state: 'called', note: 'Asks for Friday', version: 2 },
  ])
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
