// @vitest-environment happy-dom
import { act, fireEvent, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { cleanUpAfterEach, renderInPage } from '../../admin/ui/testing.tsx'
import { ReviewForm } from './review-form.tsx'

const shrinking = vi.hoisted(() => ({ end: [] as (() => void)[] }))
vi.mock('#page/shrink-picture.ts', () => ({
  shrinkPicture: (file: File) => new Promise<File>((resolve) => shrinking.end.push(() => resolve(file))),
}))

cleanUpAfterEach()

const LINE = { product_id: 3, name: 'Mango', picture_url: null }

/** Notes the number of photos of each review that is sent. */
function stubReviews(): number[] {
  const sent: number[] = []
  vi.stubGlobal('fetch', async (_url: string, { body }: { body: FormData }) => {
    sent.push(body.getAll('pictures').length)
    return Response.json({ reviews: [] })
  })
  return sent
}

it('sends no review without the photos that are being prepared, and none of them twice', async () => {
  const sent = stubReviews()
  renderInPage(<ReviewForm line={LINE} review={null} url="/api/orders/1/reviews" onSaved={() => {}} />)
  const form = screen.getByRole('form', { name: 'Mango' })
  fireEvent.click(screen.getAllByRole('radio')[4]!)
  const input = form.querySelector<HTMLInputElement>('input[type=file]')!
  await act(async () => fireEvent.change(input, { target: { files: [new File(['a picture'], 'mango.jpg', { type: 'image/jpeg' })] } }))
  await act(async () => fireEvent.submit(form))
  expect(sent).toEqual([])
  await act(async () => shrinking.end.shift()!())
  await screen.findByRole('img')
  await act(async () => fireEvent.submit(form))
  await vi.waitFor(() => expect(sent).toEqual([1]))
  await vi.waitFor(() => expect(screen.queryByRole('img')).toBeNull())
})

it('rating and text survive a reload until they are sent', async () => {
  stubReviews()
  const open = () => renderInPage(<ReviewForm line={LINE} review={null} url="/orders/1/reviews" onSaved={() => {}} />)
  const text = () => screen.getByLabelText<HTMLTextAreaElement>(/Your review/)
  const stars = () => screen.getAllByRole<HTMLInputElement>('radio').findIndex((one) => one.checked) + 1
  const first = open()
  fireEvent.click(screen.getAllByRole('radio')[3]!)
  fireEvent.change(text(), { target: { value: 'Sweet' } })
  first.unmount()
  const second = open()
  expect([stars(), text().value]).toEqual([4, 'Sweet'])
  await act(async () => fireEvent.submit(screen.getByRole('form', { name: 'Mango' })))
  second.unmount()
  open()
  expect([stars(), text().value]).toEqual([0, ''])
})

it('a removed photo leaves the focus at the next one, the last one at the field that adds photos', async () => {
  stubReviews()
  const image = (image_id: number) => ({
    image_id,
    picture: { token: `t${image_id}`, width: 320, height: 320, widths: [160], placeholder: '' },
  })
  const review = { rating: 5, body: '', state: 'waiting', pictures: [image(1), image(2)] } as never
  renderInPage(<ReviewForm line={LINE} review={review} url="/orders/1/reviews" onSaved={() => {}} />)
  for (const next of ['BUTTON', 'INPUT']) {
    const buttons = screen.getAllByRole('button', { name: /^Remove photo/ })
    buttons.at(-1)!.focus()
    fireEvent.click(buttons.at(-1)!)
    await vi.waitFor(() => expect(document.activeElement?.tagName).toBe(next))
  }
})
