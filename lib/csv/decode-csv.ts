/** The text of a CSV file: UTF-16 by its byte order mark or its zero bytes, else UTF-8. */
export function decodeCsv(bytes: Uint8Array): string {
  const [a, b] = bytes
  const zeros = bytes.subarray(0, 200).filter((byte) => byte === 0).length
  const isBigEndian = (a === 0xfe && b === 0xff) || (zeros > 20 && a === 0)
  const isWide = isBigEndian || (a === 0xff && b === 0xfe) || zeros > 20
  return new TextDecoder(isBigEndian ? 'utf-16be' : isWide ? 'utf-16le' : 'utf-8').decode(bytes).replace(/^\ufeff/, '')
}
