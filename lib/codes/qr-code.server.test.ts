import sharp from 'sharp'
import { expect, it } from 'vitest'
import { drawQr } from './qr-code.server.ts'

it('draws every dark module once, inside a quiet zone of four', async () => {
  const { size, path } = drawQr('https://khamar.example/track/Zm9vYmFyYmF6cXV4')
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" width="${size}" height="${size}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path d="${path}"/></svg>`
  const pixels = await sharp(Buffer.from(svg)).greyscale().raw().toBuffer()
  const dark = (x: number, y: number) => (pixels[y * size + x] as number) < 128
  const finder = (x: number, y: number) =>
    [0, 1, 2, 3, 4, 5, 6]
      .map((i) => dark(x + i, y + 3))
      .map(Number)
      .join('')
  expect([finder(4, 4), finder(size - 11, 4), finder(4, size - 11)]).toEqual(['1011101', '1011101', '1011101'])
  for (let i = 0; i < size; i++)
    for (const edge of [0, 3, size - 4, size - 1]) expect([dark(i, edge), dark(edge, i)]).toEqual([false, false])
})

it('draws the same for equal texts and another path for another text', () => {
  expect(drawQr('a')).toEqual(drawQr('a'))
  expect(drawQr('a').path).not.toBe(drawQr('b').path)
})
