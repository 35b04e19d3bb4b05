// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { sendFile } from './send-file.ts'

class FakeRequest extends EventTarget {
  static last: FakeRequest
  upload = new EventTarget()
  status = 0
  response: unknown = null
  open() {}
  setRequestHeader() {}
  send() {
    FakeRequest.last = this
  }
  abort() {
    for (const end of ['abort', 'loadend']) this.dispatchEvent(new Event(end))
  }
  progress(loaded: number) {
    this.upload.dispatchEvent(new ProgressEvent('progress', { lengthComputable: true, loaded, total: 100 }))
  }
  answer(status: number, response: unknown) {
    Object.assign(this, { status, response })
    for (const end of ['load', 'loadend']) this.dispatchEvent(new Event(end))
  }
}

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('XMLHttpRequest', FakeRequest)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const start = () => {
  const shares: number[] = []
  return {
    shares,
    sent: sendFile<{ url: string }>('/upload', new Blob(['film']), 'film.mp4', { onProgress: (share) => shares.push(share) }),
  }
}

it('a file may take many minutes, as long as it moves', async () => {
  const { sent, shares } = start()
  for (let minute = 1; minute <= 10; minute++) {
    await vi.advanceTimersByTimeAsync(60_000)
    FakeRequest.last.progress(10 * minute)
  }
  await vi.advanceTimersByTimeAsync(60_000)
  FakeRequest.last.answer(200, { url: '/uploads/film.mp4' })
  expect(await sent).toEqual({ ok: true, body: { url: '/uploads/film.mp4' } })
  expect(shares.at(-1)).toBe(1)
  expect(vi.getTimerCount()).toBe(0)
})

it('a file that stands still is given up', async () => {
  const { sent } = start()
  FakeRequest.last.progress(30)
  await vi.advanceTimersByTimeAsync(121_000)
  expect(await sent).toMatchObject({ ok: false, status: null })
})
