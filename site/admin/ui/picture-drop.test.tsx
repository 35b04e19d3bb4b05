// @vitest-environment happy-dom
import { act, fireEvent, screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, it, vi } from 'vitest'
import type { UploadedImage } from '#features/catalog/media/images.server.ts'
import { PictureDrop } from './picture-drop.tsx'
import { finishUploads } from './running-uploads.ts'
import { cleanUpAfterEach, renderInPage } from './testing.tsx'

cleanUpAfterEach()

/** Answers of the upload route, in their order. Null is a lost connection. */
function stubUploads(...answers: ({ status: number; response: unknown } | null)[]) {
  class Upload extends EventTarget {
    readonly upload = new EventTarget()
    status = 0
    response: unknown = null
    open() {}
    setRequestHeader() {}
    send() {
      const answer = answers.shift()
      Object.assign(this, answer)
      this.dispatchEvent(new Event(answer ? 'load' : 'error'))
    }
  }
  vi.stubGlobal('XMLHttpRequest', Upload)
}

const choose = (name: string) =>
  act(async () => {
    fireEvent.change(screen.getByLabelText('Choose photos'), { target: { files: [new File(['picture'], name)] } })
  })

const REFUSED = { status: 422, response: { message: 'Unsupported picture. Use JPEG, PNG or WebP.' } }
const STORED = { status: 200, response: { image_id: 7, picture: null } }

it('the next choice for a single picture replaces the one that was refused', async () => {
  stubUploads(REFUSED, STORED)
  const onChange = vi.fn<(next: UploadedImage[]) => void>()
  renderInPage(<PictureDrop label="Logo" value={[]} onChange={onChange} />)
  await choose('logo.heic')
  expect(screen.getByRole('alert').textContent).toContain('logo.heic')
  expect(await finishUploads()).toBe(false)
  await choose('logo.jpg')
  expect(onChange).toHaveBeenCalledWith([STORED.response])
  expect(screen.queryByRole('alert')).toBeNull()
  expect(await finishUploads()).toBe(true)
})

it('a retry is offered after a lost connection, and not for a file that the server refuses', async () => {
  stubUploads(REFUSED, null)
  renderInPage(<PictureDrop label="Photos" max={5} value={[]} onChange={() => {}} />)
  await choose('cow.heic')
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
  expect(screen.getByRole('button', { name: 'Dismiss' })).toBeTruthy()
  await choose('cow.jpg')
  expect(screen.getAllByRole('button', { name: 'Try again' })).toHaveLength(1)
})

it('the only picture, removed, leaves the focus at the field that takes the next one', async () => {
  const picture = { token: 'ab', width: 1600, height: 1200, widths: [320], placeholder: '', isIllustration: false }
  function Logo() {
    const [value, setValue] = useState<UploadedImage[]>([{ image_id: 7, picture }])
    return <PictureDrop label="Logo" value={value} onChange={setValue} />
  }
  renderInPage(<Logo />)
  const remove = screen.getByRole('button', { name: /Remove/ })
  remove.focus()
  fireEvent.click(remove)
  await vi.waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Choose photos')))
})
