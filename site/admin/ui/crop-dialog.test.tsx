// @vitest-environment happy-dom
import { act, fireEvent, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { pendingToasts } from '#components/toast.tsx'
import type { UploadedImage } from '#features/catalog/media/images.server.ts'
import { CropDialog } from './crop-dialog.tsx'
import { cleanUpAfterEach, renderInPage, stubServer } from './testing.tsx'

cleanUpAfterEach()

it('a crop without an answer says that the photo is unchanged, and can be pressed again', async () => {
  const image = {
    image_id: 7,
    picture: { token: 'ab', width: 1600, height: 1200, widths: [320], placeholder: '' },
  } as unknown as UploadedImage
  const cut = { ...image, image_id: 8 }
  stubServer(null, { status: 200, body: cut })
  const onCropped = vi.fn<(cut: UploadedImage) => void>()
  renderInPage(<CropDialog image={image} aspect={4 / 3} onClose={() => {}} onCropped={onCropped} />)
  const crop = () => act(async () => fireEvent.click(screen.getByRole('button', { name: 'Crop' })))
  await crop()
  expect(pendingToasts().map(({ text }) => text)).toEqual(['Can’t reach the shop. The photo is unchanged; please crop it again.'])
  await crop()
  expect(onCropped).toHaveBeenCalledWith(cut)
})
