import { afterEach, expect, it, vi } from 'vitest'
import { call } from './api-client.ts'

afterEach(() => vi.unstubAllGlobals())

const answer = (body: BodyInit, status = 200) => {
  vi.stubGlobal('document', { querySelector: () => null })
  vi.stubGlobal('fetch', async () => new Response(body, { status }))
  return call('/admin/quick-orders/shift/cash', { method: 'POST', body: {} })
}
const cut = new ReadableStream({
  start(controller) {
    controller.enqueue(new TextEncoder().encode('{"success":'))
    controller.error(new TypeError('connection closed'))
  },
})

it('a success is the JSON of the shop', async () => {
  expect(await answer('{"success":true}')).toEqual({ ok: true, status: 200, body: { success: true } })
})

it.each<[string, BodyInit, null | undefined]>([
  ['the page of a network that asks to sign in', '<html>Sign in to the network</html>', null],
  ['an empty body', '', null],
  ['a body that ends early', cut, undefined],
])('a success with %s is no response', async (_name, sent, body) => {
  expect(await answer(sent)).toEqual({ ok: false, noResponse: true, body })
})

it.each([403, 502])('the page of a proxy with status %s has this status and no body', async (status) => {
  expect(await answer('<html>Bad gateway</html>', status)).toEqual({ ok: false, status, body: null })
})
