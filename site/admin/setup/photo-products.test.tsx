// @vitest-environment happy-dom
import { act, fireEvent, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { cleanUpAfterEach, renderInPage, stubServer } from '../ui/testing.tsx'
import { PhotoProducts } from './photo-products.tsx'

cleanUpAfterEach()

it('a photograph whose product was not stored is tried again without choosing it once more', async () => {
  let images = 0
  class Upload extends EventTarget {
    readonly upload = new EventTarget()
    status = 200
    response: unknown = null
    open() {}
    setRequestHeader() {}
    send() {
      this.response = { image_id: (images += 1), picture: null }
      this.dispatchEvent(new Event('load'))
    }
  }
  vi.stubGlobal('XMLHttpRequest', Upload)
  const stored = { status: 201, body: { id: 5 } }
  const sent = stubServer(null, stored, stored)
  renderInPage(<PhotoProducts categories={[{ id: 3, name: 'Fruit' }]} />)
  const files = ['one.jpg', 'two.jpg'].map((name) => new File(['picture'], name))
  await act(async () => fireEvent.change(screen.getByLabelText('Choose photos'), { target: { files } }))
  expect((await screen.findByRole('alert')).textContent).toContain('New product 1: ')
  await screen.findByRole('link', { name: 'Hidden product added' })
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Try again' })))
  await screen.findByRole('link', { name: '2 hidden products added' })
  expect(screen.queryByRole('alert')).toBeNull()
  expect(sent.map(({ body }) => (body as { picture_ids: number[] }).picture_ids)).toEqual([[1], [2], [1]])
})
