// @vitest-environment happy-dom
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { MAX_VIDEOS } from '#features/catalog/limits.ts'
import { cleanUpAfterEach, renderInPage, stubServer } from '../ui/testing.tsx'
import { Page } from './product-create.page.tsx'

cleanUpAfterEach()

const LINKS = ['https://youtu.be/dQw4w9WgXcQ', 'https://youtu.be/aaaaaaaaaaa']

/** Uploads that wait until the test ends them, in their order. */
function stubUploads(): ((url: string) => Promise<void>)[] {
  const uploads: ((url: string) => Promise<void>)[] = []
  class Upload extends EventTarget {
    readonly upload = new EventTarget()
    status = 200
    response: unknown = null
    open() {}
    setRequestHeader() {}
    send() {
      uploads.push((url) =>
        act(async () => {
          this.response = { url }
          this.dispatchEvent(new Event('load'))
        }),
      )
    }
  }
  vi.stubGlobal('XMLHttpRequest', Upload)
  return uploads
}

function open() {
  vi.stubGlobal('isSecureContext', false)
  renderInPage(
    <Page
      categories={[{ id: 1, key: null, name: 'Food', isCattle: false }]}
      seasons={[]}
      season=""
      scales={[]}
      advance={0}
      today="2026-11-20"
      seasonStart={null}
    />,
  )
  fireEvent.change(screen.getByLabelText('Name in English'), { target: { value: 'Honey' } })
  fireEvent.change(screen.getByLabelText('Name in Bengali'), { target: { value: 'মধু' } })
  fireEvent.change(screen.getByLabelText('Price (৳)'), { target: { value: '500' } })
}

const choose = (name: string) =>
  act(async () => {
    const files = [new File(['video'], name, { type: 'video/mp4' })]
    fireEvent.change(screen.getByLabelText('Upload MP4'), { target: { files } })
  })
const link = (url: string) => {
  const field = screen.getByLabelText(/YouTube/)
  fireEvent.change(field, { target: { value: url } })
  fireEvent.keyDown(field, { key: 'Enter' })
}
const save = () => act(async () => fireEvent.submit(screen.getByLabelText('Name in English').closest('form')!))

it('what is added or removed while a video uploads stays so', async () => {
  const uploads = stubUploads()
  const sent = stubServer({ status: 422, body: { message: 'No', errors: { 'videos.1': ['This video is gone.'] } } })
  open()
  link(LINKS[0]!)
  await choose('one.mp4')
  await choose('two.mp4')
  link(LINKS[1]!)
  fireEvent.click(screen.getByLabelText('Remove video 1'))
  await uploads[0]!('/uploads/one.mp4')
  await uploads[1]!('/uploads/two.mp4')
  await waitFor(() => expect(screen.getAllByText(/^Uploaded/)).toHaveLength(2))
  await save()
  const problem = await screen.findByText('This video is gone.')
  expect(sent[0]?.body).toMatchObject({ videos: [LINKS[1], '/uploads/one.mp4', '/uploads/two.mp4'] })
  expect(problem.closest('li')?.textContent).toContain('Uploaded')
})

const linkField = () => screen.getByLabelText<HTMLInputElement>(/YouTube/)
const typeLink = (url: string) => fireEvent.change(linkField(), { target: { value: url } })

it('a link that is typed and not added is saved with the product, and its error stands at its field', async () => {
  const sent = stubServer({ status: 422, body: { message: 'No', errors: {} } })
  open()
  link(LINKS[0]!)
  typeLink('https://example.com/cow')
  await save()
  await waitFor(() => expect(linkField().getAttribute('aria-invalid')).toBe('true'))
  expect(sent).toEqual([])
  typeLink(LINKS[1]!)
  expect(linkField().getAttribute('aria-invalid')).toBe(null)
  await save()
  await waitFor(() => expect(sent).toHaveLength(1))
  expect(sent[0]?.body).toMatchObject({ videos: LINKS })
  expect(sent[0]?.body).not.toHaveProperty('video_link')
})

it('uploads beyond the number of videos are an error that is shown', async () => {
  const uploads = stubUploads()
  const sent = stubServer()
  open()
  for (let at = 1; at < MAX_VIDEOS; at += 1) link(`https://youtu.be/aaaaaaaaaa${at}`)
  await choose('one.mp4')
  await choose('two.mp4')
  await uploads[0]!('/uploads/one.mp4')
  await uploads[1]!('/uploads/two.mp4')
  await waitFor(() => expect(screen.getAllByText(/^Uploaded/)).toHaveLength(2))
  expect(screen.queryByLabelText(/YouTube/)).toBe(null)
  await save()
  await waitFor(() => expect(linkField().getAttribute('aria-invalid')).toBe('true'))
  expect(sent).toEqual([])
})
