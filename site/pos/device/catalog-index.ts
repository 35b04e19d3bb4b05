import { searchPart, searchTerm, searchWords } from '#lib/format/search-term.ts'
import { availabilityRank } from '#features/catalog/rules.ts'
import type { DeliveryGroup } from '#features/catalog/types.ts'
import type { DiscountLimit } from '#features/pos/approval-rules.ts'
import { type CatalogRow, toSearchText, type PosProduct, posProduct } from '#features/pos/device-catalog.ts'

/** As many as the shop's search answers [C2]. */
const MAX_SHOWN = 20
const [ID, STATUS, BARCODE, TAG] = [0, 6, 11, 12] as const

/** The catalog in memory: found by number and code at once, by words in milliseconds among 100,000 products. */
export class CatalogIndex {
  groups: Record<string, DeliveryGroup> = {}
  /** What a cashier takes off by himself; null: this device has not heard. */
  limit: DiscountLimit | null = null
  readonly #places = new Map<number, number>()
  readonly #codes = new Map<string, number>()
  #rows: (CatalogRow | null)[] = []
  #texts: string[] = []

  get size(): number {
    return this.#places.size
  }

  clear(): void {
    this.#places.clear()
    this.#codes.clear()
    this.#rows = []
    this.#texts = []
  }

  /** Adds rows, or puts them in the place of what they were before. */
  put(rows: readonly CatalogRow[]): void {
    for (const row of rows) {
      const place = this.#places.get(row[ID]) ?? this.#rows.length
      this.#forgetCodes(place)
      this.#places.set(row[ID], place)
      this.#rows[place] = row
      this.#texts[place] = toSearchText(row)
      for (const code of codesOf(row)) this.#codes.set(code, place)
    }
  }

  remove(ids: readonly number[]): void {
    for (const id of ids) {
      const place = this.#places.get(id)
      if (place === undefined) continue
      this.#forgetCodes(place)
      this.#places.delete(id)
      this.#rows[place] = null
      this.#texts[place] = ''
    }
  }

  #forgetCodes(place: number): void {
    const row = this.#rows[place]
    if (row) for (const code of codesOf(row)) if (this.#codes.get(code) === place) this.#codes.delete(code)
  }

  /** The product of a number; null when the device does not have it. */
  product(id: number): PosProduct | null {
    return this.#productAt(this.#places.get(id))
  }

  /** The product of a barcode or tag, in whatever case. */
  byCode(code: string): PosProduct | null {
    return this.#productAt(this.#codes.get(code.toLowerCase()))
  }

  #productAt(place: number | undefined): PosProduct | null {
    const row = place === undefined ? null : this.#rows[place]
    return row ? posProduct(row, this.groups) : null
  }

  /** What the shop's search would find [C2]: an exact code first, then what can be bought, in the order of numbers as they came. */
  search(raw: string, limit = MAX_SHOWN): PosProduct[] {
    const term = searchTerm(raw)
    if (term === null) return []
    const exact = this.#codes.get(term)
    const words = searchWords(term).map(searchPart)
    const ranks: number[][] = [[], [], [], [], []]
    const first = ranks[0]!
    const texts = this.#texts
    for (let place = 0; place < texts.length && first.length < limit; place++) {
      const text = texts[place]!
      if (place === exact || !words.every((word) => text.includes(word))) continue
      const row = this.#rows[place]
      const rank = row && ranks[availabilityRank(row[STATUS])]
      if (rank && rank.length < limit) rank.push(place)
    }
    return [...(exact === undefined ? [] : [exact]), ...ranks.flat()].slice(0, limit).flatMap((place) => this.#productAt(place) ?? [])
  }
}

function codesOf(row: CatalogRow): string[] {
  return [row[BARCODE], row[TAG]].flatMap((code) => (code === null ? [] : [code.toLowerCase()]))
}
