// @vitest-environment happy-dom
import { act, fireEvent, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { cleanUpAfterEach, renderInPage, stubServer } from '../ui/testing.tsx'
import { Page } from './product-import.page.tsx'

cleanUpAfterEach()

const PLAN = {
  sums: { create: 1, change: 0, same: 0, error: 0 },
  lines: [{ line: 2, action: 'create', id: null, name: 'Mango', changes: [], errors: [] }],
  unknown: [],
  ignored: [],
  previewHash: 'abc',
}

function open() {
  vi.stubGlobal('isSecureContext', false)
  renderInPage(<Page />)
}

const choose = () =>
  act(async () => {
    const files = [new File(['Name in English\nMango'], 'products.csv')]
    fireEvent.change(screen.getByLabelText('Choose a CSV file'), { target: { files } })
  })

it('the focus is on the result after the import, whose button is gone', async () => {
  stubServer({ status: 200, body: PLAN }, { status: 200, body: { ...PLAN, done: true } })
  open()
  await choose()
  const write = await screen.findByRole('button', { name: /Import/ })
  write.focus()
  await act(async () => fireEvent.click(write))
  expect(screen.queryByRole('button', { name: /Import/ })).toBeNull()
  expect(document.activeElement).toBe(screen.getByText(/^1 new/))
})

it('a retry is offered after a lost connection, and not for a file that the server refuses', async () => {
  stubServer({ status: 422, body: { message: 'No column heading was recognised.' } }, null)
  open()
  await choose()
  expect((await screen.findByRole('alert')).textContent).toContain('No column heading')
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
  await choose()
  expect(await screen.findByRole('button', { name: 'Try again' })).toBeTruthy()
})
