import { describe, expect, it } from 'vitest'
import { dither } from './receipt-image.ts'

/** A picture of one colour: the share of black dots, and whether every dot is black or white. */
function printed(rgba: [number, number, number, number], size = 40): { black: number; isPure: boolean } {
  const data = Uint8ClampedArray.from({ length: size * size * 4 }, (_, i) => rgba[i % 4]!)
  dither(data, size, size)
  const dots = Array.from({ length: size * size }, (_, i) => data.slice(i * 4, i * 4 + 4))
  const isPure = dots.every(([r, g, b, a]) => (r === 0 || r === 255) && r === g && g === b && a === 255)
  return { black: dots.filter(([r]) => r === 0).length / dots.length, isPure }
}

describe('a picture on a receipt', () => {
  it.each<[string, [number, number, number, number], number]>([
    ['black', [0, 0, 0, 255], 1],
    ['white', [255, 255, 255, 255], 0],
    ['transparent black', [0, 0, 0, 0], 0],
    ['middle grey', [128, 128, 128, 255], 0.5],
    ['the yellow of the tag', [246, 197, 27, 255], 0.24],
  ])('%s has as many black dots as it is dark', (_what, colour, share) => {
    const { black, isPure } = printed(colour)
    expect(isPure).toBe(true)
    expect(black).toBeCloseTo(share, 1)
  })

  it('a picture of one dot does not write beyond its edge', () => {
    expect(printed([100, 100, 100, 255], 1)).toEqual({ black: 1, isPure: true })
  })
})
