import { CsvError, parse } from 'csv-parse/sync'
import { latinDigits } from '#lib/format/numbers.ts'
import { sanitizeText } from '#lib/format/text.ts'
import { columnOf, type CsvColumn, fromCell } from './csv-columns.ts'

export const MAX_CSV_ROWS = 5000
const MAX_COLUMNS = 100
const MAX_UNKNOWN = 10

/** A row of the file: the cells of the known columns. */
export interface CsvRow {
  line: number
  cells: Map<string, string>
  /** It has text beyond the last heading: a comma without quotes shifts the cells after it. */
  isTooLong: boolean
}

export type CsvRead =
  | { ok: true; columns: CsvColumn[]; unknown: string[]; rows: CsvRow[] }
  | { ok: false; reason: 'none' | 'many' | 'no-columns' }
  | { ok: false; reason: 'broken'; line: number }
  /** Two headings of one column. */
  | { ok: false; reason: 'repeated'; heading: string }

/** Parses CSV of spreadsheet programs: commas, semicolons or tabs, also named by a first line `sep=;`; quotes; a byte order mark or none. */
export function readProductsCsv(text: string): CsvRead {
  const bare = text.replace(/^\ufeff/, '')
  const named = /^sep=([,;\t])\r?\n/i.exec(bare)
  let records: { record: string[]; info: { lines: number } }[]
  try {
    records = parse(bare, {
      delimiter: named?.[1] ?? delimiterOf(bare),
      from_line: named ? 2 : 1,
      relax_column_count: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
      info: true,
      to: MAX_CSV_ROWS + 2,
    }) as unknown as typeof records
  } catch (error) {
    if (error instanceof CsvError) return { ok: false, reason: 'broken', line: Number(error.lines ?? 1) }
    throw error
  }
  const [head, ...rest] = records
  if (!head) return { ok: false, reason: 'none' }
  if (rest.length > MAX_CSV_ROWS) return { ok: false, reason: 'many' }
  const headings = head.record.slice(0, MAX_COLUMNS)
  const known = headings.map(columnOf)
  const columns = known.filter((column) => column !== null)
  if (columns.length === 0) return { ok: false, reason: 'no-columns' }
  const repeated = known.findIndex((column, position) => column !== null && known.indexOf(column) < position)
  if (repeated !== -1) return { ok: false, reason: 'repeated', heading: headings[repeated]!.trim() }
  if (rest.length === 0) return { ok: false, reason: 'none' }
  const width = head.record.findLastIndex((heading) => heading.trim() !== '') + 1
  const rows = rest.map(({ record, info }): CsvRow => {
    const cells = new Map<string, string>()
    known.forEach((column, position) => column && cells.set(column.key, keyForm(column.key, fromCell(record[position] ?? '').trim())))
    return { line: info.lines, cells, isTooLong: record.slice(width).some((cell) => cell.trim() !== '') }
  })
  const unknown = headings.filter((heading, position) => known[position] === null && heading.trim() !== '')
  return { ok: true, columns, unknown: unknown.slice(0, MAX_UNKNOWN), rows }
}

/** Cells by which products are matched, in the form in which they are stored. */
function keyForm(key: string, text: string): string {
  switch (key) {
    case 'id':
    case 'barcode':
      return latinDigits(text)
    case 'tag_number':
      return latinDigits(text).toUpperCase()
    case 'name_en':
      return sanitizeText(text)
    default:
      return text
  }
}

/** The most frequent delimiter in the first line that has text. */
function delimiterOf(text: string): string {
  const head =
    text
      .replace(/^\s*\n/, '')
      .slice(0, 10_000)
      .split('\n')[0] ?? ''
  const count = (delimiter: string) => head.split(delimiter).length
  return [',', ';', '\t'].toSorted((a, b) => count(b) - count(a))[0] as string
}
