import { CsvError, parse } from 'csv-parse/sync'
import { normalizeTransactionId } from '#features/orders/advances/transaction-id-rules.ts'
import type { Poisha } from '#lib/format/money.ts'
import { isStorable, sanitizeText } from '#lib/format/text.ts'
import { sha256Hex } from '#lib/ids/ids.server.ts'
import { MAX_STATEMENT_ROWS, type StatementMapping } from './rules.ts'
import { findHeadings, guessDayOrder, guessMapping, nameColumns, parseStatementAmount, parseStatementDay } from './statement-cell-rules.ts'

/** A row of the statement, ready to be stored. */
export interface StatementRow {
  line: number
  day: string
  amount: Poisha
  reference: string | null
  details: string
  hash: string
}

/** A cell that cannot be read. `column`: its heading. `surplus`: text beyond the last heading, which has no column. */
export interface CellProblem {
  line: number
  column: string
  value: string
  reason: 'day' | 'future' | 'amount' | 'surplus'
}

export type StatementError = 'empty' | 'many' | 'not-csv' | 'no-headings' | 'no-rows'

interface Table {
  columns: string[]
  /** The number of columns up to the last heading. */
  width: number
  rows: { line: number; cells: string[] }[]
}

type TableRead = ({ ok: true } & Table) | { ok: false; reason: StatementError } | { ok: false; reason: 'broken'; line: number }

const MAX_COLUMNS = 60
const MAX_PROBLEMS = 10
const SAMPLE_ROWS = 5
const DETAILS_LENGTH = 255

/** Parses the file: the headings below a preamble, and the rows. `known`: headings of an earlier upload, which are looked for first. */
function readTable(text: string, known: readonly string[] = []): TableRead {
  if (text.trim() === '') return { ok: false, reason: 'empty' }
  // Spreadsheets (ZIP or OLE) and PDF.
  if (/^(PK\u0003|%PDF|\u00d0\u00cf|\ufffd\ufffd)/.test(text) || text.includes('\0')) return { ok: false, reason: 'not-csv' }
  let found: { record: string[]; info: { lines: number } }[]
  try {
    found = parse(text, {
      delimiter: delimiterOf(text),
      relax_column_count: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
      info: true,
      to: MAX_STATEMENT_ROWS + 100,
    }) as unknown as typeof found
  } catch (error) {
    if (error instanceof CsvError) return { ok: false, reason: 'broken', line: Number(error.lines ?? 1) }
    throw error
  }
  const records = found.map(({ record }) => record.slice(0, MAX_COLUMNS))
  const head = findHeadings(records, known)
  if (head === -1) return { ok: false, reason: 'no-headings' }
  const rows = records.slice(head + 1).map((cells, index) => ({ line: found[head + 1 + index]!.info.lines, cells }))
  if (rows.length > MAX_STATEMENT_ROWS) return { ok: false, reason: 'many' }
  if (rows.length === 0) return { ok: false, reason: 'no-rows' }
  const width = records[head]!.findLastIndex((cell) => cell.trim() !== '') + 1
  return { ok: true, columns: nameColumns(records[head]!), width, rows }
}

/** The most frequent delimiter of the first lines. */
function delimiterOf(text: string): string {
  const head = text.slice(0, 10_000)
  const count = (delimiter: string) => head.split(delimiter).length
  return [',', ';', '\t'].toSorted((a, b) => count(b) - count(a))[0] as string
}

export interface StatementPreview {
  columns: string[]
  sample: string[][]
  rows: number
  /** The columns of the last upload if the file has them, else a guess. */
  mapping: StatementMapping
}

/** The columns of a file, its first rows, and a proposal. */
export function previewStatement(
  text: string,
  remembered: StatementMapping | null,
): { ok: true; preview: StatementPreview } | Extract<TableRead, { ok: false }> {
  const table = readTable(text, remembered ? headingsOf(remembered) : [])
  if (!table.ok) return table
  const { columns, rows } = table
  const cellsOf = (heading: string) => rows.slice(0, 500).map(({ cells }) => cells[columns.indexOf(heading)] ?? '')
  const isKnown = remembered !== null && headingsOf(remembered).every((heading) => columns.includes(heading))
  const mapping = isKnown ? remembered : guessMapping(columns, (heading) => guessDayOrder(cellsOf(heading)))
  const sample = rows.slice(0, SAMPLE_ROWS).map(({ cells }) => columns.map((_, index) => (cells[index] ?? '').slice(0, 100)))
  return { ok: true, preview: { columns, sample, rows: rows.length, mapping } }
}

export const headingsOf = ({ day, amount, credit, debit, reference, details }: StatementMapping): string[] =>
  [day, amount, credit, debit, reference, details].filter((heading) => heading !== null)

export type StatementRead =
  | { ok: true; rows: StatementRow[]; skipped: number }
  | Extract<TableRead, { ok: false }>
  | { ok: false; reason: 'cells'; problems: CellProblem[] }
  /** Headings that the file does not have. */
  | { ok: false; reason: 'columns'; missing: string[] }

/**
 * Reads the rows with the chosen columns. Rows without a day or without an amount (balances, totals) are counted and left out. One wrong
 * cell rejects the file, with its line.
 */
export function readStatement(text: string, mapping: StatementMapping, today: string): StatementRead {
  const table = readTable(text, headingsOf(mapping))
  if (!table.ok) return table
  const missing = headingsOf(mapping).filter((heading) => !table.columns.includes(heading))
  if (missing.length > 0) return { ok: false, reason: 'columns', missing }
  const problems: CellProblem[] = []
  const rows: StatementRow[] = []
  const seen = new Map<string, number>()
  for (const { line, cells } of table.rows) {
    const at = (heading: string | null) => (heading === null ? '' : (cells[table.columns.indexOf(heading)] ?? '').trim())
    const read = readRow(at, mapping, today)
    if (read === null) continue
    // A comma without quotes shifts the cells after it: `1,500` would be an amount of 1.
    const surplus = cells.slice(table.width).find((cell) => cell.trim() !== '')
    if (surplus !== undefined) problems.push({ line, column: '', value: surplus.trim().slice(0, 60), reason: 'surplus' })
    else if ('problems' in read) problems.push(...read.problems.map((problem) => ({ line, ...problem })))
    else rows.push({ line, ...read, hash: hashOf(read, seen) })
    if (problems.length >= MAX_PROBLEMS) break
  }
  if (problems.length > 0) return { ok: false, reason: 'cells', problems }
  if (rows.length === 0) return { ok: false, reason: 'no-rows' }
  return { ok: true, rows, skipped: table.rows.length - rows.length }
}

type CellAt = (heading: string | null) => string
type RowRead = Omit<StatementRow, 'line' | 'hash'> | { problems: Omit<CellProblem, 'line'>[] } | null

/** One row; null without a day or an amount. `at`: the cell below a heading. */
function readRow(at: CellAt, mapping: StatementMapping, today: string): RowRead {
  const [written, amount] = [at(mapping.day), amountOf(at, mapping)]
  if (written === '' || amount === null || amount === 0) return null
  const day = parseStatementDay(written, mapping.dayOrder)
  const problems: Omit<CellProblem, 'line'>[] = typeof amount === 'object' ? [amount] : []
  if (day === null || day > today)
    problems.push({ column: mapping.day, value: written.slice(0, 60), reason: day === null ? 'day' : 'future' })
  if (day === null || typeof amount === 'object' || problems.length > 0) return { problems }
  const typed = at(mapping.reference)
  const reference = normalizeTransactionId(typed.replace(/^'/, '').slice(0, 100), null)
  return { day, amount, reference, details: detailsOf([reference === null ? typed : '', at(mapping.details)]) }
}

function amountOf(
  at: CellAt,
  { amount, credit, debit }: StatementMapping,
): Poisha | null | { column: string; value: string; reason: 'amount' } {
  let sum = 0
  let isEmpty = true
  for (const [heading, sign] of [
    [amount, 1],
    [credit, 1],
    [debit, -1],
  ] as const) {
    const cell = at(heading)
    const found = parseStatementAmount(cell)
    if (found === 'wrong') return { column: heading!, value: cell.slice(0, 60), reason: 'amount' }
    if (found === null) continue
    isEmpty = false
    // Some banks write the debit column with a minus.
    sum += sign === -1 ? -Math.abs(found) : found
  }
  return isEmpty ? null : (sum as Poisha)
}

function detailsOf(texts: string[]): string {
  const joined = texts
    .filter(isStorable)
    .map((text) => text.slice(0, 1000))
    .filter((text) => text !== '')
    .join(' ')
  return sanitizeText(joined.replaceAll(/\s+/g, ' ')).slice(0, DETAILS_LENGTH).toWellFormed()
}

/** Equal rows of a file are numbered, so that two equal payments are two rows, and the same file again is none. */
function hashOf({ day, amount, reference, details }: Omit<StatementRow, 'hash' | 'line'>, seen: Map<string, number>): string {
  const key = `${day}|${amount}|${reference ?? `-${details}`}`
  const number = (seen.get(key) ?? 0) + 1
  seen.set(key, number)
  return sha256Hex(`${key}|${number}`)
}
