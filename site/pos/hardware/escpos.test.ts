import { describe, expect, it } from 'vitest'
import { BAND_ROWS, feedAndCut, initialize, openDrawerPulse, raster, receiptJob, toBitmap } from './escpos.ts'

const bitmap = (width: number, height: number, fill = 0) => ({
  width,
  height,
  data: new Uint8Array(Math.ceil(width / 8) * height).fill(fill),
})

describe('raster', () => {
  it('is GS v 0, the size in bytes and rows, and the rows', () => {
    expect(raster({ width: 16, height: 2, data: Uint8Array.of(0xff, 0x01, 0x80, 0x00) })).toEqual([
      Uint8Array.of(0x1d, 0x76, 0x30, 0, 2, 0, 2, 0, 0xff, 0x01, 0x80, 0x00),
    ])
  })
  it('rounds a width that is not divisible by 8 up to whole bytes', () => {
    expect(raster({ width: 9, height: 1, data: Uint8Array.of(0xff, 0x80) })).toEqual([
      Uint8Array.of(0x1d, 0x76, 0x30, 0, 2, 0, 1, 0, 0xff, 0x80),
    ])
  })
  it.each([
    [384, [0x30, 0]],
    [576, [0x48, 0]],
    [2056, [0x01, 0x01]],
  ])('%i dots are bytes %j', (width, size) => expect([...raster(bitmap(width, 1))[0]!.subarray(4, 6)]).toEqual(size))

  it.each([
    [BAND_ROWS, [BAND_ROWS]],
    [BAND_ROWS + 1, [BAND_ROWS, 1]],
    [2 * BAND_ROWS, [BAND_ROWS, BAND_ROWS]],
  ])('%i rows are the bands %j', (height, rows) => {
    const bands = raster(bitmap(576, height, 0xaa))
    expect(bands.map((band) => band[6]! + 256 * band[7]!)).toEqual(rows)
    expect(bands.map((band) => band.length)).toEqual(rows.map((count) => 8 + count * 72))
    expect(bands.every((band) => band.subarray(8).every((byte) => byte === 0xaa))).toBe(true)
  })
  it.each([
    [0, 1],
    [1, 0],
    [-8, 1],
    [8.5, 1],
    [0xffff * 8 + 1, 1],
  ])('refuses %d × %d dots', (width, height) => expect(() => raster({ width, height, data: new Uint8Array(1) })).toThrow(RangeError))
  it('refuses data of another size', () =>
    expect(() => raster({ width: 9, height: 1, data: new Uint8Array(1) })).toThrow('1 bytes for 9 × 1'))
})

describe('commands', () => {
  it('resets, feeds and cuts', () => {
    expect([...initialize()]).toEqual([0x1b, 0x40])
    expect([...feedAndCut()]).toEqual([0x1b, 0x64, 3, 0x1d, 0x56, 66, 0])
  })
  it('opens the drawer, with times in units of 2 ms', () => {
    expect([...openDrawerPulse()]).toEqual([0x1b, 0x70, 0, 25, 250])
  })
  it('a receipt opens the drawer before it prints, and is cut', () => {
    const job = receiptJob([bitmap(8, 1, 0xf0), bitmap(8, 1, 0x0f)], { opensDrawer: true })
    const band = (byte: number) => [0x1d, 0x76, 0x30, 0, 1, 0, 1, 0, byte]
    expect([...job]).toEqual([...initialize(), ...openDrawerPulse(), ...band(0xf0), ...band(0x0f), ...feedAndCut()])
    expect([...receiptJob([], { opensDrawer: false })]).toEqual([...initialize(), ...feedAndCut()])
  })
})

describe('toBitmap', () => {
  const pixels = (...colors: [grey: number, alpha: number][]) =>
    Uint8ClampedArray.from(colors.flatMap(([grey, alpha]) => [grey, grey, grey, alpha]))
  const [black, white, clear] = [
    [0, 255],
    [255, 255],
    [0, 0],
  ] as [[number, number], [number, number], [number, number]]

  it('puts the left dot in the highest bit, and leaves bits beyond the width white', () => {
    expect(toBitmap(pixels(black, white, clear, white, white, white, white, black, black), 9, 1).data).toEqual(Uint8Array.of(0x81, 0x80))
  })
  it('starts each row with a new byte', () => {
    expect(toBitmap(pixels(black, white, white, black), 2, 2).data).toEqual(Uint8Array.of(0x80, 0x40))
  })
  it('a grey dot is black below the limit, half transparent black is grey', () => {
    expect(toBitmap(pixels([149, 255], [150, 255], [0, 128], [0, 90]), 4, 1).data).toEqual(Uint8Array.of(0xa0))
  })
})
