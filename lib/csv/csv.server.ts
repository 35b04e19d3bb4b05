import { Readable } from 'node:stream'

/** A cell. Texts are escaped so that no program reads them as formulas, or phones as numbers. Null is an empty cell. */
export type CsvCell = string | number | null

/** A CSV download. Long lists give their rows in batches as they are read. */
export interface CsvFile {
  filename: string
  head: string[]
  rows: AsyncIterable<Iterable<CsvCell[]>> | Iterable<CsvCell[]>
}

/**
 * Texts that a spreadsheet program reads as a formula or changes: it drops the leading zero of a number, rounds long ones, and reads a
 * transaction id such as 9E17482635 as a power of ten.
 */
export const MISREAD = /^[=+\-@\t\r\n\u0000＝＋－＠]|^0\d+$|^\d{12,}$|^\d+[eE]\d+$/

/** A text that is exactly a mobile number. */
export const PHONE = /^01[3-9]\d{8}$/

/** One line of CSV (RFC 4180). All cells except numbers are quoted. */
export function csvLine(cells: CsvCell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

function csvCell(cell: CsvCell): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return String(cell)
  // As a formula with a text constant the leading zero stays. `PHONE` matches eleven digits only, so nothing can be injected.
  if (PHONE.test(cell)) return `"=""${cell}"""`
  return `"${(MISREAD.test(cell) ? `'${cell}` : cell).replaceAll('"', '""')}"`
}

const BOM = '\ufeff'

/** The file as a stream in small chunks. It starts with a byte order mark, by which spreadsheets detect UTF-8. */
export function csvStream(head: string[], rows: CsvFile['rows']): Readable {
  return Readable.from(pieces(head, rows), { objectMode: false })
}

async function* pieces(head: string[], rows: CsvFile['rows']): AsyncGenerator<string> {
  yield BOM + csvLine(head)
  if (Symbol.asyncIterator in rows) for await (const piece of rows) yield linesOf(piece)
  else yield linesOf(rows)
}

const linesOf = (rows: Iterable<CsvCell[]>) => Array.from(rows, csvLine).join('')
