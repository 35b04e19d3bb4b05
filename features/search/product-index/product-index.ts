import { MAX_PRICE } from '#features/catalog/limits.ts'
import { searchWords } from '#lib/format/search-term.ts'
import { BitSet } from './growable-uint32.ts'
import { lowerBound, type Compare, sortIds, mergeSorted } from './sorted-ids.ts'
import { InvertedIndex, type WordMatches } from './inverted-index.ts'

/** The values that lists and search need of a product. */
export interface IndexedProduct {
  id: number
  categoryId: number
  /** Availability rank: what can be bought comes first. */
  rank: number
  /** The price after discount, in poisha. */
  price: number
  isVisible: boolean
  /** The search text and its hash. */
  text: string
  textMark: number
  /** Barcode and tag in lower case. */
  barcode: string | null
  tag: string | null
}

type Sort = 'asc' | 'desc' | 'availability'

/** A list query. Price bounds in poisha are inclusive; without words every product matches. */
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
/** Ranks up to this one can be sortIds. */
const ORDERABLE = 1
/** Unused document numbers that justify a rebuild: a minimum, and a share of the used ones. */
const REBUILD = { min: 1000, share: 0.25 }

/**
 * All visible products in memory: sorted document numbers for each list, and an inverted index of the search texts. A product has one
 * document number (`place`). A changed text gets a new number, because the inverted index never removes words.
 */
export class ProductIndex {
  readonly #placeOf = new Map<number, number>()
  readonly #ids: number[] = []
  readonly #categories: number[] = []
  readonly #ranks: number[] = []
  readonly #prices: number[] = []
  readonly #visible: boolean[] = []
  readonly #textMarks: number[] = []
  /** Word numbers of a product's barcode and tag. */
  readonly #codes: Record<'barcode' | 'tag', (number | null)[]> = { barcode: [], tag: [] }
  /** Words that are or were a barcode or tag. Lets a search skip the documents of all other words. */
  readonly #codeWords = new BitSet()
  readonly #words = new InvertedIndex()
  readonly #orders = new Map<string, Order>()

  /** Whether enough document numbers are unused to justify a rebuild. */
  get needsRebuild(): boolean {
    return this.#ids.length - this.#placeOf.size > REBUILD.min + this.#placeOf.size * REBUILD.share
  }

  /** Adds products or updates them. */
  put(products: readonly IndexedProduct[]): void {
    const changed = products.flatMap((product) => this.#putOne(product))
    if (changed.length === 0) return
    const marked = new Uint8Array(this.#ids.length)
    for (const place of changed) marked[place] = 1
    for (const order of this.#orders.values()) {
      const moved = sortIds(changed.filter(this.#belongsTo(order.categoryId)), order.compare)
      order.places = mergeSorted(order.places, marked, moved, order.compare)
    }
  }

  /** Answers the document numbers that changed. */
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

  /** One page of a list, and the length of the list. */
  list(query: IndexQuery): { ids: number[]; total: number } {
    const { categoryId, sort, low, high, rank, from, limit } = query
    const found = query.words.length > 0 ? this.#words.find(query.words) : null
    const places = sort === null ? this.#ranked(categoryId, rank) : this.#priced(categoryId, sort, low, high)
    const anyPrice = sort !== null || (low <= 0 && high >= MAX_PRICE)
    const anyRank = sort === null || rank === null
    if (!found && anyPrice && anyRank) return { ids: this.#idsOf(places.subarray(from, from + limit)), total: places.length }
    // With price bounds only, the list by price gives the total, so the scan may stop at the end of the page.
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
   * Products that match a term: an exact barcode or tag first, then texts with all words, by availability. A term of eight or more digits
   * is a scanned barcode and finds that product only.
   */
  search(term: string, limit: number): number[] {
    const exact = [...this.#coded('barcode', term), ...this.#coded('tag', term)]
    if (exact.length > 0 && SCANNED.test(term)) return this.#idsOf(exact.slice(0, 1))
    const others = this.#byAvailability(this.#words.find(searchWords(term)), limit + exact.length)
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

  #byAvailability(found: WordMatches, limit: number): number[] {
    if (found.few) {
      const places = found.few.filter((place) => this.#visible[place])
      return places.sort(this.#compare('availability')).slice(0, limit)
    }
    // With many matches, a scan of the sorted list meets the first ones soon.
    const first: number[] = []
    const { places } = this.#order(null, 'availability')
    for (let at = 0; at < places.length && first.length < limit; at++) if (found.has(places[at]!)) first.push(places[at]!)
    return first
  }

  /** Lowest and highest price of a category in poisha (0 when it is empty), and whether a product of it is in stock. */
  ends(categoryId: number): { lowest: number; highest: number; inStock: boolean } {
    const byPrice = this.#order(categoryId, 'asc').places
    const first = this.#order(categoryId, 'availability').places[0]
    const price = (place: number | undefined) => (place === undefined ? 0 : this.#prices[place]!)
    return { lowest: price(byPrice[0]), highest: price(byPrice.at(-1)), inStock: first !== undefined && this.#ranks[first] === 0 }
  }

  /** Products of a category that can be sortIds, nearest to a price (poisha) first. */
  near(categoryId: number, price: number, limit: number, exceptId: number): number[] {
    const { places } = this.#order(categoryId, 'asc')
    const middle = lowerBound(places, (place) => this.#prices[place]! < price)
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
    const { places } = this.#order(categoryId, 'availability')
    if (rank === null) return places
    return places.subarray(
      lowerBound(places, (place) => this.#ranks[place]! < rank),
      lowerBound(places, (place) => this.#ranks[place]! <= rank),
    )
  }

  #priced(categoryId: number | null, sort: 'asc' | 'desc', low: number, high: number): Uint32Array {
    const { places } = this.#order(categoryId, sort)
    const tooEarly = (place: number) => (sort === 'asc' ? this.#prices[place]! < low : this.#prices[place]! > high)
    const notTooLate = (place: number) => (sort === 'asc' ? this.#prices[place]! <= high : this.#prices[place]! >= low)
    return places.subarray(lowerBound(places, tooEarly), lowerBound(places, notTooLate))
  }

  /** A sorted list is built at its first use and updated from then on. */
  #order(categoryId: number | null, sort: Sort): Order {
    const key = `${sort} ${categoryId ?? ''}`
    const known = this.#orders.get(key)
    if (known) return known
    const compare = this.#compare(sort)
    const places = sortIds([...this.#placeOf.values()].filter(this.#belongsTo(categoryId)), compare)
    const order = { categoryId, sort, compare, places }
    this.#orders.set(key, order)
    return order
  }

  #belongsTo(categoryId: number | null): (place: number) => boolean {
    return (place) => this.#visible[place] === true && (categoryId === null || this.#categories[place] === categoryId)
  }

  #compare(sort: Sort): Compare {
    const first = sort === 'availability' ? this.#ranks : this.#prices
    const sign = sort === 'desc' ? -1 : 1
    return (a, b) => sign * (first[a]! - first[b]!) || this.#ids[a]! - this.#ids[b]!
  }

  #idsOf(places: Iterable<number>): number[] {
    return Array.from(places, (place) => this.#ids[place]!)
  }
}
