import { MAX_PRICE } from '#features/catalog/limits.ts'
import { searchWords } from '#lib/format/search-term.ts'
import { Bits } from './growable-uint32.ts'
import { boundary, type Compare, ordered, reordered } from './sorted-ids.ts'
import { InvertedIndex, type WordMatches } from './inverted-index.ts'

/** What lists and the search know of a product. */
export interface IndexedProduct {
  id: number
  categoryId: number
  /** What can be bought comes first. */
  rank: number
  /** The price that shoppers see, in poisha. */
  price: number
  isVisible: boolean
  /** What it is found by, and a number that stands for it: the same number, the same text. */
  text: string
  textMark: number
  /** Barcode and tag as they stand in the text. */
  barcode: string | null
  tag: string | null
}

type Sort = 'asc' | 'desc' | 'shelf'

/** What a list is asked for; prices in poisha, both included; no words: all. */
export interface IndexQuery {
  categoryId: number | null
  sort: 'asc' | 'desc' | null
  low: number
  high: number
  rank: number | null
  words: readonly string[]
  from: number
  limit: number
}

interface Order {
  categoryId: number | null
  sort: Sort
  compare: Compare
  places: Uint32Array
}

const SCANNED = /^\d{8,}$/
/** Ranks up to this one can be ordered. */
const ORDERABLE = 1
const WORN = { atLeast: 1000, part: 0.25 }

/**
 * All products that the shop shows, as lists and the search need them, in memory: some bytes for each order and letter, none of what is
 * shown. A product has a place; a new text takes a new one, for words are not taken back.
 */
export class ProductIndex {
  readonly #placeOf = new Map<number, number>()
  readonly #ids: number[] = []
  readonly #categories: number[] = []
  readonly #ranks: number[] = []
  readonly #prices: number[] = []
  readonly #visible: boolean[] = []
  readonly #textMarks: number[] = []
  /** The words that are a product's barcode and tag. */
  readonly #codes: Record<'barcode' | 'tag', (number | null)[]> = { barcode: [], tag: [] }
  /** All words that ever were one: most words are none, and thousands may have them in their names. */
  readonly #codeWords = new Bits()
  readonly #words = new InvertedIndex()
  readonly #orders = new Map<string, Order>()

  /** Whether so many places have been left that filling it anew is worth its time. */
  get needsRebuild(): boolean {
    return this.#ids.length - this.#placeOf.size > WORN.atLeast + this.#placeOf.size * WORN.part
  }

  /** Puts products where they belong now, whether they were there or not. */
  put(products: readonly IndexedProduct[]): void {
    const changed = products.flatMap((product) => this.#putOne(product))
    if (changed.length === 0) return
    const marked = new Uint8Array(this.#ids.length)
    for (const place of changed) marked[place] = 1
    for (const order of this.#orders.values()) {
      const moved = ordered(changed.filter(this.#belongsTo(order.categoryId)), order.compare)
      order.places = reordered(order.places, marked, moved, order.compare)
    }
  }

  /** The places that are not as they were. */
  #putOne(product: IndexedProduct): number[] {
    const old = this.#placeOf.get(product.id)
    if (old !== undefined && this.#textMarks[old] === product.textMark) return this.#setAt(old, product) ? [old] : []
    if (old === undefined && !product.isVisible) return []
    const place = this.#ids.length
    this.#ids.push(product.id)
    this.#textMarks.push(product.textMark)
    this.#placeOf.set(product.id, place)
    this.#words.add(place, product.text)
    for (const kind of ['barcode', 'tag'] as const) {
      const number = product[kind] === null ? null : this.#words.numberOf(product[kind])
      this.#codes[kind].push(number)
      if (number !== null) this.#codeWords.add(number)
    }
    this.#setAt(place, product)
    if (old === undefined) return [place]
    this.#visible[old] = false
    return [old, place]
  }

  #setAt(place: number, { categoryId, rank, price, isVisible }: IndexedProduct): boolean {
    const isSame =
      this.#categories[place] === categoryId &&
      this.#ranks[place] === rank &&
      this.#prices[place] === price &&
      this.#visible[place] === isVisible
    this.#categories[place] = categoryId
    this.#ranks[place] = rank
    this.#prices[place] = price
    this.#visible[place] = isVisible
    return !isSame
  }

  /** A part of a list, and how long the list is. */
  list(query: IndexQuery): { ids: number[]; total: number } {
    const { categoryId, sort, low, high, rank, from, limit } = query
    const found = query.words.length > 0 ? this.#words.find(query.words) : null
    const places = sort === null ? this.#ranked(categoryId, rank) : this.#priced(categoryId, sort, low, high)
    const anyPrice = sort !== null || (low <= 0 && high >= MAX_PRICE)
    const anyRank = sort === null || rank === null
    if (!found && anyPrice && anyRank) return { ids: this.#idsOf(places.subarray(from, from + limit)), total: places.length }
    // Of prices alone the list by price knows how many there are: the walk may end with the page.
    const total = !found && rank === null ? this.#priced(categoryId, 'asc', low, high).length : null
    const ids: number[] = []
    let count = 0
    for (let at = 0; at < places.length && (total === null || ids.length < limit); at++) {
      const place = places[at]!
      const price = this.#prices[place]!
      if (!anyPrice && (price < low || price > high)) continue
      if (!anyRank && this.#ranks[place] !== rank) continue
      if (found && !found.has(place)) continue
      if (count++ >= from && ids.length < limit) ids.push(this.#ids[place]!)
    }
    return { ids, total: total ?? count }
  }

  /**
   * What a term finds: first the product whose barcode or tag it is, then along the shelf those whose texts hold all words. A long
   * barcode was scanned: it finds that product alone.
   */
  search(term: string, limit: number): number[] {
    const exact = [...this.#coded('barcode', term), ...this.#coded('tag', term)]
    if (exact.length > 0 && SCANNED.test(term)) return this.#idsOf(exact.slice(0, 1))
    const others = this.#alongShelf(this.#words.find(searchWords(term)), limit + exact.length)
    return this.#idsOf(new Set([...exact, ...others])).slice(0, limit)
  }

  #coded(kind: 'barcode' | 'tag', term: string): number[] {
    const number = this.#words.numberOf(term)
    if (number === null || !this.#codeWords.has(number)) return []
    const coded: number[] = []
    const codes = this.#codes[kind]
    const places = this.#words.placesOf(number)
    for (let at = 0; at < places.length; at++) {
      const place = places[at]!
      if (codes[place] === number && this.#visible[place]) coded.push(place)
    }
    return coded
  }

  #alongShelf(found: WordMatches, limit: number): number[] {
    if (found.few) {
      const places = found.few.filter((place) => this.#visible[place])
      return places.sort(this.#compare('shelf')).slice(0, limit)
    }
    // Of many the first are soon met.
    const first: number[] = []
    const { places } = this.#order(null, 'shelf')
    for (let at = 0; at < places.length && first.length < limit; at++) if (found.has(places[at]!)) first.push(places[at]!)
    return first
  }

  /** Lowest and highest price of a category in poisha, 0 when it is empty; and whether one of its products is in stock. */
  ends(categoryId: number): { lowest: number; highest: number; inStock: boolean } {
    const byPrice = this.#order(categoryId, 'asc').places
    const first = this.#order(categoryId, 'shelf').places[0]
    const price = (place: number | undefined) => (place === undefined ? 0 : this.#prices[place]!)
    return { lowest: price(byPrice[0]), highest: price(byPrice.at(-1)), inStock: first !== undefined && this.#ranks[first] === 0 }
  }

  /** What can be ordered of a category next to a price (poisha), the nearest first. */
  near(categoryId: number, price: number, limit: number, exceptId: number): number[] {
    const { places } = this.#order(categoryId, 'asc')
    const middle = boundary(places, (place) => this.#prices[place]! < price)
    const nearest: number[] = []
    for (const [start, step] of [
      [middle, 1],
      [middle - 1, -1],
    ] as const) {
      let count = 0
      for (let at = start; at >= 0 && at < places.length && count < limit; at += step) {
        const place = places[at]!
        if (this.#ranks[place]! > ORDERABLE || this.#ids[place] === exceptId) continue
        nearest.push(place)
        count++
      }
    }
    const away = (place: number) => Math.abs(this.#prices[place]! - price)
    return this.#idsOf(nearest.sort((a, b) => away(a) - away(b) || this.#ids[a]! - this.#ids[b]!).slice(0, limit))
  }

  #ranked(categoryId: number | null, rank: number | null): Uint32Array {
    const { places } = this.#order(categoryId, 'shelf')
    if (rank === null) return places
    return places.subarray(
      boundary(places, (place) => this.#ranks[place]! < rank),
      boundary(places, (place) => this.#ranks[place]! <= rank),
    )
  }

  #priced(categoryId: number | null, sort: 'asc' | 'desc', low: number, high: number): Uint32Array {
    const { places } = this.#order(categoryId, sort)
    const tooEarly = (place: number) => (sort === 'asc' ? this.#prices[place]! < low : this.#prices[place]! > high)
    const notTooLate = (place: number) => (sort === 'asc' ? this.#prices[place]! <= high : this.#prices[place]! >= low)
    return places.subarray(boundary(places, tooEarly), boundary(places, notTooLate))
  }

  /** An order is made when it is asked for the first time, and kept right from then on. */
  #order(categoryId: number | null, sort: Sort): Order {
    const key = `${sort} ${categoryId ?? ''}`
    const known = this.#orders.get(key)
    if (known) return known
    const compare = this.#compare(sort)
    const places = ordered([...this.#placeOf.values()].filter(this.#belongsTo(categoryId)), compare)
    const order = { categoryId, sort, compare, places }
    this.#orders.set(key, order)
    return order
  }

  #belongsTo(categoryId: number | null): (place: number) => boolean {
    return (place) => this.#visible[place] === true && (categoryId === null || this.#categories[place] === categoryId)
  }

  #compare(sort: Sort): Compare {
    const first = sort === 'shelf' ? this.#ranks : this.#prices
    const sign = sort === 'desc' ? -1 : 1
    return (a, b) => sign * (first[a]! - first[b]!) || this.#ids[a]! - this.#ids[b]!
  }

  #idsOf(places: Iterable<number>): number[] {
    return Array.from(places, (place) => this.#ids[place]!)
  }
}
