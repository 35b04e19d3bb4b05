// The columns of exported and imported product files: headings in both languages, choices, and how a cell is escaped.
import { MISREAD, PHONE } from '#lib/csv/csv.server.ts'
import { latinDigits } from '#lib/format/numbers.ts'
import { compose } from '#lib/format/text.ts'
import type { Choices } from './field-types.ts'
import { FIELD_LIST } from './field-values.ts'

export interface CsvColumn {
  key: string
  en: string
  bn: string
  /** Headings of files exported by earlier versions. */
  formerly?: readonly string[]
  /** One of these, by key or in either language. */
  choices?: Choices
  /** An empty cell empties the field; other choices keep their value. */
  isOptional?: boolean
  /** Read for new products only. */
  isInitial?: true
}

/** The columns in their order; `id` identifies the product. */
export const CSV_COLUMNS: readonly CsvColumn[] = [
  { key: 'id', en: 'Number', bn: 'নম্বর' },
  ...FIELD_LIST.flatMap((field): CsvColumn[] => {
    const { key, csv, choices, isInitial } = field
    if (!csv) return []
    return [{ key, ...csv, ...(choices ? { choices, isOptional: field.blank === '' } : {}), ...(isInitial ? { isInitial } : {}) }]
  }),
]

const fold = (text: string) => latinDigits(compose(text).trim().toLowerCase()).replace(/[\s_]+/g, ' ')

/** Longer headings and choices are unknown. */
const MAX_WORD = 200

/** Compares words without regard to case, spaces and the script of digits. */
export const isSameWord = (a: string, b: string) => a.length <= MAX_WORD && b.length <= MAX_WORD && fold(a) === fold(b)

const BY_HEADING = new Map(
  CSV_COLUMNS.toReversed().flatMap((column) =>
    [column.key, column.en, column.bn, ...(column.formerly ?? [])].map((name) => [fold(name), column] as const),
  ),
)

/** The column of a heading in either language, or of a key; null for an unknown one. */
export function columnOf(heading: string): CsvColumn | null {
  return heading.length <= MAX_WORD ? (BY_HEADING.get(fold(heading)) ?? null) : null
}

/** The key of a choice by one of its words, in either language; null for an unknown word. */
export function choiceOf(choices: Choices, word: string): string | null {
  return (
    Object.entries(choices).find(([key, { en, bn, also = [] }]) => [key, en, bn, ...also].some((name) => isSameWord(name, word)))?.[0] ??
    null
  )
}

/** The cell of a text for the CSV writer. Texts that look escaped already get a leading apostrophe. */
export function toCell(text: string): string {
  const bare = text.replace(/^'+/, '')
  // A barcode may look like a phone number, and must not get a hyphen.
  return (text.startsWith("'") && MISREAD.test(bare)) || PHONE.test(text) ? `'${text}` : text
}

/** The text of a cell: reverses the escaping of `toCell` and of the CSV writer. */
export function fromCell(cell: string): string {
  const text = cell.replaceAll('\r\n', '\n')
  return text.startsWith("'") && MISREAD.test(text.replace(/^'+/, '')) ? text.slice(1) : text
}

/** Form fields that have another name in files. */
const CELLS_OF: Record<string, string> = { category_id: 'category', further_category_ids: 'further_categories' }

/** The column of a form field. */
export const cellOf = (field: string): string => CELLS_OF[field] ?? field
