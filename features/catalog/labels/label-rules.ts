// Sheets and rolls that labels are printed on, to the tenth of a millimetre as the makers state them.

export interface LabelSize {
  key: 'a4-24' | 'a4-14' | 'roll' | 'card'
  /** The paper, in millimetres. */
  page: [width: number, height: number]
  label: [width: number, height: number]
  columns: number
  rows: number
  /** From the paper's edge to the first label: left, top. */
  margin: [left: number, top: number]
  /** Between two labels abreast. */
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
/** Labels of one product, and of all together. */
export const MAX_COPIES = 500
export const MAX_CONCURRENT = 2000

export const labelsOnPage = ({ columns, rows }: LabelSize): number => columns * rows

/** How many copies of each, whatever was typed: whole, none below zero, within the bounds. */
export function countsOf(typed: readonly string[]): number[] {
  let left = MAX_CONCURRENT
  return typed.map((text) => {
    const wished = /^\d{1,6}$/.test(text.trim()) ? Number(text) : 0
    const count = Math.min(wished, MAX_COPIES, left)
    left -= count
    return count
  })
}

/** The pages: for each place of a page which of the goods stands there; null stays free, as the first `used` do. */
export function layLabels(counts: readonly number[], size: LabelSize, used: number): (number | null)[][] {
  const perPage = labelsOnPage(size)
  const skipped = Array.from({ length: Math.min(Math.max(0, Math.floor(used)), perPage - 1) }, () => null)
  const all = counts.flatMap((count, goods) => Array.from({ length: count }, () => goods))
  if (all.length === 0) return []
  const places = [...skipped, ...all]
  return Array.from({ length: Math.ceil(places.length / perPage) }, (_, page) => places.slice(page * perPage, (page + 1) * perPage))
}
