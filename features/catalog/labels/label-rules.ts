// Sizes of label sheets and rolls in millimetres, from the data sheets of their makers.

export interface LabelSize {
  key: 'a4-24' | 'a4-14' | 'roll' | 'card'
  /** The sheet, in millimetres. */
  page: [width: number, height: number]
  label: [width: number, height: number]
  columns: number
  rows: number
  /** From the edge of the sheet to the first label: left, top. */
  margin: [left: number, top: number]
  /** Between two labels of a row. */
  gap: number
}

const A4: [number, number] = [210, 297]

export const LABEL_SIZES: readonly LabelSize[] = [
  { key: 'a4-24', page: A4, label: [70, 37], columns: 3, rows: 8, margin: [0, 0.5], gap: 0 },
  { key: 'a4-14', page: A4, label: [99.1, 38.1], columns: 2, rows: 7, margin: [4.65, 15.15], gap: 2.5 },
  { key: 'roll', page: [50, 30], label: [50, 30], columns: 1, rows: 1, margin: [0, 0], gap: 0 },
  { key: 'card', page: A4, label: [105, 74], columns: 2, rows: 4, margin: [0, 0.5], gap: 0 },
]

export const MAX_LABELLED = 100
/** Maximum labels of one product, and in total. */
export const MAX_COPIES = 500
export const MAX_LABELS = 2000

export const labelsOnPage = ({ columns, rows }: LabelSize): number => columns * rows

/** Parses typed numbers of copies. Invalid input is 0; the numbers are cut to the maximum of one product and of all. */
export function countsOf(typed: readonly string[]): number[] {
  let left = MAX_LABELS
  return typed.map((text) => {
    const requested = /^\d{1,6}$/.test(text.trim()) ? Number(text) : 0
    const count = Math.min(requested, MAX_COPIES, left)
    left -= count
    return count
  })
}

/** The pages as label positions: the index of the product, or null for a free position. The first `used` positions are free. */
export function layLabels(counts: readonly number[], size: LabelSize, used: number): (number | null)[][] {
  const perPage = labelsOnPage(size)
  const skipped = Array.from({ length: Math.min(Math.max(0, Math.floor(used)), perPage - 1) }, () => null)
  const all = counts.flatMap((count, product) => Array.from({ length: count }, () => product))
  if (all.length === 0) return []
  const positions = [...skipped, ...all]
  return Array.from({ length: Math.ceil(positions.length / perPage) }, (_, page) => positions.slice(page * perPage, (page + 1) * perPage))
}
