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

it.each<[string, BodyInit, boolean | undefined]>([
  ['the page of a network that asks to sign in', '<html>Sign in to the network</html>', true],
  ['an empty body', '', true],
  ['a body that ends early', cut, undefined],
])('a success with %s is no response', async (_name, body, isUnreadable) => {
  expect(await answer(body)).toEqual({ ok: false, noResponse: true, isUnreadable })
})

it.each([403, 502])('the page of a proxy with status %s has this status and no body', async (status) => {
  expect(await answer('<html>Bad gateway</html>', status)).toEqual({ ok: false, status, body: null })
})
