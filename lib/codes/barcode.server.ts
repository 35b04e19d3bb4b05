import { hasValidCheckDigit } from './ean.ts'

/** The bars of a barcode as one SVG path, `width` modules wide (with quiet zones) and one module high. */
export interface BarcodeDrawing {
  kind: 'ean13' | 'code128'
  text: string
  width: number
  path: string
}

/** Quiet zones in modules: the white space that scanners need left and right of the bars. */
const QUIET = { ean13: [11, 7], code128: [10, 10] } as const

/** The barcode of a text: EAN-13 for a valid one, else Code 128. Rejects other characters than ASCII, or more than 80. */
export async function drawBarcode(text: string): Promise<BarcodeDrawing> {
  if (!/^[ -~]{1,80}$/.test(text)) throw new RangeError(`cannot be encoded as a barcode: ${JSON.stringify(text)}`)
  const kind = text.length === 13 && hasValidCheckDigit(text) === true ? 'ean13' : 'code128'
  // Loaded with the first barcode: few processes ever draw one.
  const { default: bwipjs } = await import('bwip-js/node')
  const [symbol] = bwipjs.raw({ bcid: kind, text })
  if (!symbol || !('sbs' in symbol)) throw new Error(`no bars for ${text}`)
  const [left, right] = QUIET[kind]
  let [at, path]: [number, string] = [left, '']
  // Widths of bars and spaces alternate and start with a bar.
  symbol.sbs.forEach((width, index) => {
    if (index % 2 === 0) path += `M${at} 0h${width}v1h${-width}z`
    at += width
  })
  return { kind, text, width: at + right, path }
}
