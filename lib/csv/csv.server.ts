import { Readable } from 'node:stream'

/** A number stays a number; a text is never taken for a formula, a phone never for a number; nothing is an empty cell. */
export type CsvCell = string | number | null

/** A list to be downloaded: its name, its head, its rows; those of a long one in pieces, as they are read. */
export interface CsvFile {
  filename: string
  head: string[]
  rows: AsyncIterable<Iterable<CsvCell[]>> | Iterable<CsvCell[]>
}

/** What a spreadsheet program would take for a formula, or swallow (the nought of a phone number). */
// oxlint-disable-next-line no-control-regex -- a leading NUL is one of them
export const MISREAD = /^[=+\-@\t\r\n\u0000＝＋－＠]|^0\d+$/

/** A text that is a mobile number and nothing else. */
export const PHONE = /^01[3-9]\d{8}$/

/** One line of RFC 4180, everything quoted but numbers. */
export function csvLine(cells: CsvCell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

function csvCell(cell: CsvCell): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return String(cell)
  // A spreadsheet shows the digits, keeps the leading zero and copies them bare. `PHONE` lets through nothing but eleven digits.
  if (PHONE.test(cell)) return `"=""${cell}"""`
  return `"${(MISREAD.test(cell) ? `'${cell}` : cell).replaceAll('"', '""')}"`
}

const BOM = '\ufeff'

/** The file as a stream, in pieces of some kilobytes however long it is; spreadsheets know by the first sign that it is UTF-8. */
export function csvStream(head: string[], rows: CsvFile['rows']): Readable {
  return Readable.from(pieces(head, rows), { objectMode: false })
}

async function* pieces(head: string[], rows: CsvFile['rows']): AsyncGenerator<string> {
  yield BOM + csvLine(head)
  if (Symbol.asyncIterator in rows) for await (const piece of rows) yield linesOf(piece)
  else yield linesOf(rows)
}

const linesOf = (rows: Iterable<CsvCell[]>) => Array.from(rows, csvLine).join('')
