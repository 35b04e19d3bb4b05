// ESC/POS commands of receipt printers. Text goes as a bitmap: code pages have no Bengali.

/** A monochrome picture: rows of bytes, the left dot in the highest bit, 1 is black. */
export interface Bitmap {
  width: number
  height: number
  data: Uint8Array
}

/** Rows in one raster command: printers have small buffers. */
export const BAND_ROWS = 240
const MAX_WIDTH = 0xffff * 8
const [ESC, GS] = [0x1b, 0x1d]

/** ESC @: resets what another program has set. */
export const initialize = () => Uint8Array.of(ESC, 0x40)

/** ESC d: feeds 3 lines. GS V 66: feeds up to the knife and cuts. Printers without a knife only feed. */
export const feedAndCut = () => Uint8Array.of(ESC, 0x64, 3, GS, 0x56, 66, 0)

/** ESC p: opens the cash drawer at pin 2, with 50 ms on and 500 ms off. The times count in units of 2 ms. */
export const openDrawerPulse = () => Uint8Array.of(ESC, 0x70, 0, 25, 250)

/** GS v 0: a bitmap as bands of at most `BAND_ROWS` rows. Throws for an empty bitmap, or data of another size. */
export function raster({ width, height, data }: Bitmap): Uint8Array[] {
  const rowBytes = Math.ceil(width / 8)
  if (!Number.isInteger(width) || width < 1 || width > MAX_WIDTH) throw new RangeError(`Width ${width}`)
  if (!Number.isInteger(height) || height < 1) throw new RangeError(`Height ${height}`)
  if (data.length !== rowBytes * height) throw new RangeError(`${data.length} bytes for ${width} × ${height} dots`)
  const bands: Uint8Array[] = []
  for (let top = 0; top < height; top += BAND_ROWS) {
    const rows = Math.min(BAND_ROWS, height - top)
    const header = [GS, 0x76, 0x30, 0, rowBytes & 0xff, rowBytes >> 8, rows & 0xff, rows >> 8]
    bands.push(concat([Uint8Array.from(header), data.subarray(top * rowBytes, (top + rows) * rowBytes)]))
  }
  return bands
}

/**
 * Ends the bitmap of an interrupted job: the printer takes zeros as the white rest of its band, and ignores those beyond. Without them the
 * start of the next job would be printed as dots.
 */
export const endOfBand = (width: number) => new Uint8Array(BAND_ROWS * Math.ceil(width / 8))

/** Opens the drawer, and prints nothing. */
export const drawerJob = () => concat([initialize(), openDrawerPulse()])

/** Everything for one receipt. The drawer opens first: the cashier needs the change before the receipt. */
export function receiptJob(bitmaps: readonly Bitmap[], { opensDrawer }: { opensDrawer: boolean }): Uint8Array {
  return concat([initialize(), ...(opensDrawer ? [openDrawerPulse()] : []), ...bitmaps.flatMap(raster), feedAndCut()])
}

/** Below this brightness (0–255) a dot is black; above the middle, so that thin strokes stay. */
const BLACK_BELOW = 150

/** Canvas pixels (RGBA) as a bitmap. Transparent is white; the bits beyond the width are white. */
export function toBitmap(rgba: Uint8ClampedArray, width: number, height: number): Bitmap {
  const rowBytes = Math.ceil(width / 8)
  const data = new Uint8Array(rowBytes * height)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const at = (y * width + x) * 4
      const brightness = 0.299 * rgba[at]! + 0.587 * rgba[at + 1]! + 0.114 * rgba[at + 2]!
      const onWhite = 255 - (255 - brightness) * (rgba[at + 3]! / 255)
      if (onWhite < BLACK_BELOW) data[y * rowBytes + (x >> 3)]! |= 0x80 >> (x & 7)
    }
  return { width, height, data }
}

export function concat(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}
