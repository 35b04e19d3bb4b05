import { encode } from 'uqr'

/** A QR code to draw: its modules on a square of `size` units (quiet zone of 4 included) as one SVG path of dark squares. */
export interface QrDrawing {
  size: number
  path: string
}

const QUIET_ZONE = 4

/** The QR code of a text, at error correction M: still read when a seventh of the print is rubbed off. Throws beyond about 2,300 bytes. */
export function drawQr(text: string): QrDrawing {
  const { size, data } = encode(text, { ecc: 'M', border: QUIET_ZONE })
  // Neighbours in a row are one rectangle: a printer then leaves no hairline between them.
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
