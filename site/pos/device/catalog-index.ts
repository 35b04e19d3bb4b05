import { codeForms } from '#lib/format/latin-code.ts'
import { MAX_NAMED, namesFirst, searchPart, searchTerm, searchText, searchWords } from '#lib/format/search-term.ts'
import { foldText } from '#lib/format/text.ts'
import { availabilityRank } from '#features/catalog/rules.ts'
import type { DeliveryGroup } from '#features/catalog/types.ts'
import type { DiscountLimit } from '#features/pos/approval-rules.ts'
import { MAX_SEARCH_RESULTS } from '#features/search/types.ts'
import { PairFilter, pairQuery } from './pair-filter.ts'
import { type CatalogRow, toSearchText, type PosProduct, posProduct } from '#features/pos/device-catalog.ts'

const [ID, NAME_EN, NAME_BN, STATUS, BARCODE, TAG] = [0, 1, 2, 6, 11, 12] as const

/** In-memory product index of the POS: lookup by id and code, and word search over 100,000 products in milliseconds. */
export class CatalogIndex {
  groups: Record<string, DeliveryGroup> = {}
  /** The maximum discount of a cashier alone; null: not loaded yet. */
  limit: DiscountLimit | null = null
  readonly #positions = new Map<number, number>()
  readonly #codes = new Map<string, number>()
  #rows: (CatalogRow | null)[] = []
  /** Search texts by position; null until a search or `prepare` needs one: scans do not. */
  #texts: (string | null)[] = []
  /** Excludes most texts without reading them. */
  readonly #pairs = new PairFilter()
  #prepared = 0

  get size(): number {
    return this.#positions.size
  }

  ids(): number[] {
    return [...this.#positions.keys()]
  }

  clear(): void {
    this.#positions.clear()
    this.#codes.clear()
    this.#rows = []
    this.#texts = []
    this.#pairs.clear()
    this.#prepared = 0
  }

  /** Adds rows; a row with a known id replaces the old one. */
  put(rows: readonly CatalogRow[]): void {
    for (const row of rows) {
      const position = this.#positions.get(row[ID]) ?? this.#rows.length
      this.#removeCodes(position)
      this.#positions.set(row[ID], position)
      this.#rows[position] = row
      this.#setText(position, null)
      for (const code of codesOf(row)) this.#codes.set(code, position)
    }
  }

  remove(ids: readonly number[]): void {
    for (const id of ids) {
      const position = this.#positions.get(id)
      if (position === undefined) continue
      this.#removeCodes(position)
      this.#positions.delete(id)
      this.#rows[position] = null
      this.#setText(position, '')
    }
  }

  #removeCodes(position: number): void {
    const row = this.#rows[position]
    if (row) for (const code of codesOf(row)) if (this.#codes.get(code) === position) this.#codes.delete(code)
  }

  /** Computes search texts for some milliseconds. Returns whether all are there: the first search is then as fast as the next. */
  prepare(milliseconds: number): boolean {
    const end = performance.now() + milliseconds
    while (this.#prepared < this.#texts.length) {
      this.#textAt(this.#prepared++)
      if (this.#prepared % 64 === 0 && performance.now() > end) return false
    }
    return true
  }

  #textAt(position: number): string {
    const known = this.#texts[position]
    if (typeof known === 'string') return known
    const row = this.#rows[position]
    const text = row ? toSearchText(row) : ''
    this.#setText(position, text)
    return text
  }

  #setText(position: number, text: string | null): void {
    this.#texts[position] = text
    this.#pairs.set(position, text)
  }

  /** The product with this id, or null. */
  product(id: number): PosProduct | null {
    return this.#productAt(this.#positions.get(id))
  }

  /** The product with this barcode or tag in any letter case and in the digits of both scripts, or null. */
  byCode(code: string): PosProduct | null {
    const folded = foldText(code)
    const known = [folded, ...codeForms(folded)].find((form) => this.#codes.has(form))
    return this.#productAt(known === undefined ? undefined : this.#codes.get(known))
  }

  #productAt(position: number | undefined): PosProduct | null {
    const row = position === undefined ? null : this.#rows[position]
    return row ? posProduct(row, this.groups) : null
  }

  /** Searches like the server: an exact code first, then names, then other texts, each by availability in the order of insertion. */
  search(raw: string, limit = MAX_SEARCH_RESULTS): PosProduct[] {
    const term = searchTerm(raw)
    if (term === null) return []
    for (const form of [term, ...codeForms(term)]) {
      const found = this.#matches(form, limit)
      if (found.length > 0) return found
    }
    return []
  }

  #matches(term: string, limit: number): PosProduct[] {
    const exact = this.#codes.get(term)
    const words = searchWords(term)
    const found = this.#byAvailability(words, exact).slice(0, MAX_NAMED)
    const others = namesFirst(found, words, (position) => this.#nameAt(position))
    const shown = [...(exact === undefined ? [] : [exact]), ...others].slice(0, limit)
    return shown.flatMap((position) => this.#productAt(position) ?? [])
  }

  /** Positions of the rows that have all words, without that of the exact code. */
  #byAvailability(words: readonly string[], exact: number | undefined): number[] {
    const parts = words.map(searchPart)
    const pairs = pairQuery(parts)
    const ranks: number[][] = [[], [], [], [], []]
    const first = ranks[0]!
    const { length } = this.#texts
    for (let position = 0; position < length && first.length < MAX_NAMED; position++) {
      if (position === exact || !this.#pairs.mayMatch(position, pairs)) continue
      const text = this.#textAt(position)
      if (!parts.every((part) => text.includes(part))) continue
      const row = this.#rows[position]
      if (row) ranks[availabilityRank(row[STATUS])]?.push(position)
    }
    return ranks.flat()
  }

  #nameAt(position: number): string {
    const row = this.#rows[position]
    return row ? searchText([row[NAME_EN], row[NAME_BN]]) : ''
  }
}

function codesOf(row: CatalogRow): string[] {
  return [row[BARCODE], row[TAG]].flatMap((code) => (code === null ? [] : [foldText(code)]))
}
