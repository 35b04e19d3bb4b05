import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'
import { drawBarcode } from './barcode.server.ts'

const wasm = await readFile(createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm'))
await prepareZXingModule({ overrides: { wasmBinary: wasm.buffer as ArrayBuffer }, fireImmediately: true })

/** Format and text that a barcode reader finds in the drawn bars. */
async function readBack(text: string): Promise<[format: string | undefined, text: string | undefined]> {
  const { width, path } = await drawBarcode(text)
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width * 4}" height="160" viewBox="0 0 ${width} 1" preserveAspectRatio="none"><path fill="#fff" d="M0 0h${width}v1h-${width}z"/><path d="${path}"/></svg>`
  const [found] = await readBarcodes(await sharp(Buffer.from(svg)).png().toBuffer(), { formats: ['EAN13', 'Code128'] })
  return [found?.format, found?.text]
}

test.each([
  ['4006381333931', 'EAN13'],
  ['2000000050010', 'EAN13'],
  ['4006381333932', 'Code128'],
  ['2712345', 'Code128'],
  ['KH-0042', 'Code128'],
  ['a', 'Code128'],
  ['Z'.repeat(40), 'Code128'],
])('%s is read back as %s', async (text, format) => expect(await readBack(text)).toEqual([format, text]))

test('rejects a text that cannot be encoded', () => expect(drawBarcode('আম')).rejects.toThrow(RangeError))
