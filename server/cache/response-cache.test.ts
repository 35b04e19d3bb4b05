import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import type { Encoding } from './compression.ts'
import { bodyFor, prepareResponse } from './response-cache.ts'

const page = Buffer.from('<p>গরু ও আখ</p>'.repeat(1000))
const plainOf = { identity: (body: Buffer) => body, br: brotliDecompressSync, gzip: gunzipSync }
const ENCODINGS = Object.keys(plainOf) as Encoding[]

it.each(ENCODINGS)('a page first asked for as %s is the same text in each encoding', async (first) => {
  const response = await prepareResponse(page, { 'content-type': 'text/html' }, first, 'cached')
  for (const wanted of [...ENCODINGS, ...ENCODINGS]) {
    const { encoding, body } = bodyFor(wanted, response)
    expect(encoding).toBe(wanted)
    expect(plainOf[encoding](body).equals(page)).toBe(true)
  }
})

it.each(['br', 'gzip'] as const)('a page first asked for as %s takes no more memory than its compressed forms', async (first) => {
  const response = await prepareResponse(page, { 'content-type': 'text/html' }, first, 'cached')
  for (const wanted of ENCODINGS) bodyFor(wanted, response)
  const held = Object.values(response.bodies).reduce((sum, body) => sum + body.length, 0)
  expect(held).toBeLessThan(page.length / 10)
  expect(response.size).toBeGreaterThanOrEqual(held)
})

it('a picture is sent as it is', async () => {
  const response = await prepareResponse(page, { 'content-type': 'image/png' }, 'br', 'cached')
  expect(bodyFor('br', response)).toEqual({ encoding: 'identity', body: page })
})
