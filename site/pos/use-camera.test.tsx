// @vitest-environment happy-dom
import { render, screen } from '@testing-library/react'
import { useRef } from 'react'
import { expect, it, vi } from 'vitest'
import { cleanUpAfterEach } from '../admin/ui/testing.tsx'
import { useCamera } from './use-camera.ts'

cleanUpAfterEach()
vi.mock('./barcode-reader.ts', () => ({ barcodeReader: async () => async () => [] }))

function Camera() {
  const video = useRef<HTMLVideoElement>(null)
  const { problem, isReady } = useCamera(
    video,
    () => {},
    () => {},
  )
  return (
    <>
      <video ref={video} />
      <p>{problem ?? (isReady ? 'ready' : 'waiting')}</p>
    </>
  )
}

it('a camera that is unplugged while it scans is named; its picture would stand still', async () => {
  const track = Object.assign(new EventTarget(), { stop: vi.fn<() => void>() })
  const stream = { getTracks: () => [track], getVideoTracks: () => [track] }
  vi.stubGlobal('navigator', { mediaDevices: { getUserMedia: async () => stream } })
  Object.defineProperty(HTMLMediaElement.prototype, 'srcObject', { configurable: true, set() {} })
  vi.spyOn(HTMLMediaElement.prototype, 'play').mockResolvedValue()
  render(<Camera />)
  await screen.findByText('ready')
  track.dispatchEvent(new Event('ended'))
  expect(await screen.findByText('busy')).toBeTruthy()
})
