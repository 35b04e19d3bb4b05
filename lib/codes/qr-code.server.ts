import { encode } from 'uqr'

/** The dark modules of a QR code as one SVG path in a square of `size` units (with a quiet zone of 4). */
export interface QrDrawing {
  size: number
  path: string
}

const QUIET_ZONE = 4

/** The QR code of a text at error correction level M (15 % may be unreadable). Throws for more than about 2,300 bytes. */
export function drawQr(text: string): QrDrawing {
  const { size, data } = encode(text, { ecc: 'M', border: QUIET_ZONE })
  // Adjacent modules of a row are one rectangle, so that prints have no hairlines between them.
  const rows = data.map((row, y) => {
    let path = ''
    for (let x = 0; x < size; x++) {
      if (!row[x]) continue
      const from = x
      while (row[x + 1]) x += 1
      path += `M${from} ${y}h${x - from + 1}v1h${from - x - 1}z`
    }
    return path
  })
  return { size, path: rows.join('') }
}
