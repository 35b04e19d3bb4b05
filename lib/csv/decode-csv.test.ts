import { expect, it } from 'vitest'
import { decodeCsv } from './decode-csv.ts'

it('a file is decoded by its byte order mark, or by its zero bytes', () => {
  const text = 'Date,Amount\n২০২৬-১১-০৫,৫০০\n'
  const wide = (isBig: boolean) => {
    const bytes = new Uint8Array(text.length * 2)
    const view = new DataView(bytes.buffer)
    for (let index = 0; index < text.length; index++) view.setUint16(index * 2, text.charCodeAt(index), !isBig)
    return bytes
  }
  const utf8 = new TextEncoder().encode(text)
  expect(decodeCsv(utf8)).toBe(text)
  expect(decodeCsv(new Uint8Array([0xef, 0xbb, 0xbf, ...utf8]))).toBe(text)
  expect(decodeCsv(new Uint8Array([0xff, 0xfe, ...wide(false)]))).toBe(text)
  expect(decodeCsv(new Uint8Array([0xfe, 0xff, ...wide(true)]))).toBe(text)
  expect(decodeCsv(new Uint8Array())).toBe('')
})
