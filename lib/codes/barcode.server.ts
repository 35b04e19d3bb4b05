import bwipjs from 'bwip-js/node'
import { eanIsRight } from './ean.ts'

/** A barcode to draw: its bars on a strip `width` modules wide (quiet zones included) and one high, as one SVG path. */
export interface BarcodeDrawing {
  kind: 'ean13' | 'code128'
  text: string
  width: number
  path: string
}

/** Modules of white that scanners want beside the bars, left and right. */
const QUIET = { ean13: [11, 7], code128: [10, 10] } as const

/** The barcode of a text: EAN-13 where it is one, else Code 128. Throws for what neither can hold (other than ASCII, more than 80 characters). */
export function drawBarcode(text: string): BarcodeDrawing {
  if (!/^[ -~]{1,80}$/.test(text)) throw new RangeError(`no barcode holds ${JSON.stringify(text)}`)
  const kind = text.length === 13 && eanIsRight(text) === true ? 'ean13' : 'code128'
  const [symbol] = bwipjs.raw({ bcid: kind, text })
  if (!symbol || !('sbs' in symbol)) throw new Error(`no bars for ${text}`)
  const [left, right] = QUIET[kind]
  let [at, path]: [number, string] = [left, '']
  // Widths of bars and spaces in turn, a bar first.
  symbol.sbs.forEach((width, index) => {
    if (index % 2 === 0) path += `M${at} 0h${width}v1h${-width}z`
    at += width
  })
  return { kind, text, width: at + right, path }
}
