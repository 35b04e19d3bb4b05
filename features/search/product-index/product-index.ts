import { NO_TRAITS, TraitColumns, type TraitCounts } from './animal-traits.ts'
import type { IndexedProduct, IndexQuery, Order, Sort } from './index-types.ts'
import { MAX_PRICE } from '#features/catalog/limits.ts'
import { availabilityRank, ORDERABLE_STATUSES } from '#features/catalog/rules.ts'
import { MAX_NAMED, namesFirst, searchWords } from '#lib/format/search-term.ts'
import { BitSet } from './growable-uint32.ts'
import { RunningCounts } from './running-counts.ts'
import { lowerBound, type Compare, sortIds, mergeSorted } from './sorted-ids.ts'
import { InvertedIndex, type WordMatches } from './inverted-index.ts'

const SCANNED = /^\d{8,}$/
/** Products with ranks up to this one can be ordered. */
const MAX_ORDERABLE_RANK = Math.max(...ORDERABLE_STATUSES.map(availabilityRank))
/** Unused document numbers that justify a rebuild: a minimum, and a share of the used ones. */
const REBUILD = { min: 1000, share: 0.25 }

/**
 * All visible products in memory: sorted document numbers for each list, and an inverted index of the search texts. A product has one
 * document number (`doc`). A changed text gets a new number, because the inverted index never removes words.
 */
export class ProductIndex {
  readonly #docOf = new Map<number, number>()
  readonly #ids: number[] = []
  readonly #categories: number[] = []
  /** The other categories of the few products that have some. */
  readonly #further = new Map<number, readonly number[]>()
  readonly #ranks: number[] = []
  readonly #prices: number[] = []
  readonly #visible: boolean[] = []
  readonly #textHashes: number[] = []
  readonly #names: string[] = []
  /** Word numbers of a product's barcode and tag. */
  readonly #codes: Record<'barcode' | 'tag', (number | null)[]> = { barcode: [], tag: [] }
  /** Words that are or were a barcode or tag. Lets a search skip the documents of all other words. */
  readonly #codeWords = new BitSet()
  readonly #traits = new TraitColumns()
  /** The traits of the lists by price; cleared by every change. */
  readonly #counts = new Map<number | null, RunningCounts>()
  readonly #words = new InvertedIndex()
  readonly #orders = new Map<string, Order>()

  /** Whether enough document numbers are unused to justify a rebuild. */
  get needsRebuild(): boolean {
    return this.#ids.length - this.#docOf.size > REBUILD.min + this.#docOf.size * REBUILD.share
  }

  /** Adds products or updates them. */
  put(products: readonly IndexedProduct[]): void {
    this.#counts.clear()
    const changed = products.flatMap((product) => this.#putOne(product))
    if (changed.length === 0) return
    const isChanged = new Uint8Array(this.#ids.length)
    for (const doc of changed) isChanged[doc] = 1
    for (const order of this.#orders.values()) {
      const moved = sortIds(changed.filter(this.#belongsTo(order.categoryId)), order.compare)
      order.docs = mergeSorted(order.docs, isChanged, moved, order.compare)
    }
  }

  /** Returns the document numbers that changed. */
  #putOne(product: IndexedProduct): number[] {
    const old = this.#docOf.get(product.id)
    if (old !== undefined && this.#textHashes[old] === product.textHash) return this.#setAt(old, product) ? [old] : []
    if (old === undefined && !product.isVisible) return []
    const doc = this.#ids.length
    this.#ids.push(product.id)
    this.#textHashes.push(product.textHash)
    this.#docOf.set(product.id, doc)
    this.#words.add(doc, product.text)
    for (const kind of ['barcode', 'tag'] as const) {
      const number = product[kind] === null ? null : this.#words.numberOf(product[kind])
      this.#codes[kind].push(number)
      if (number !== null) this.#codeWords.add(number)
    }
    this.#setAt(doc, product)
    if (old === undefined) return [doc]
    this.#visible[old] = false
    return [old, doc]
  }

  #setAt(doc: number, { categoryId, furtherIds = [], rank, price, isVisible, name, traits = NO_TRAITS }: IndexedProduct): boolean {
    this.#traits.set(doc, traits)
    this.#names[doc] = name
    const isSame =
      this.#categories[doc] === categoryId &&
      String(this.#further.get(doc) ?? []) === String(furtherIds) &&
      this.#ranks[doc] === rank &&
      this.#prices[doc] === price &&
      this.#visible[doc] === isVisible
    this.#categories[doc] = categoryId
    if (furtherIds.length > 0) this.#further.set(doc, furtherIds)
    else this.#further.delete(doc)
    this.#ranks[doc] = rank
    this.#prices[doc] = price
    this.#visible[doc] = isVisible
    return !isSame
  }

  /** One page of a list, and the length of the list. */
  list(query: IndexQuery): { ids: number[]; total: number } {
    return this.#page(query, query.words.length > 0 ? this.#words.find(query.words) : null)
  }

  /** The first products of a list query; where nothing has all its words, those with the nearest other spellings. */
  listTolerant(query: IndexQuery): number[] {
    const { ids } = this.list(query)
    if (ids.length > 0) return ids
    for (const found of this.#words.findTolerant(query.words)) {
      const similar = this.#page(query, found).ids
      if (similar.length > 0) return similar
    }
    return []
  }

  #page(query: IndexQuery, found: WordMatches | null): { ids: number[]; total: number } {
    const { categoryId, low, high, rank, from, limit } = query
    const hasTraits = this.#traits.matcher(query.traits ?? {})
    const { docs, matches } = this.#candidates(query, found)
    if (!matches && !hasTraits) {
      const isPlain = query.sort === null && query.rank === null
      const page = isPlain && query.last?.length ? this.#pageWithLast(query, docs, query.last) : docs.subarray(from, from + limit)
      return { ids: this.#idsOf(page), total: docs.length }
    }
    // With price bounds only, the list by price gives the total, so the scan may stop at the end of the page.
    const total = !found && !hasTraits && rank === null ? this.#priced(categoryId, 'asc', low, high).length : null
    const ids: number[] = []
    let count = 0
    for (let at = 0; at < docs.length && (total === null || ids.length < limit); at++) {
      const doc = docs[at]!
      if ((matches && !matches(doc)) || (hasTraits && !hasTraits(doc))) continue
      if (count++ >= from && ids.length < limit) ids.push(this.#ids[doc]!)
    }
    return { ids, total: total ?? count }
  }

  /** A page of a list whose last products are given: few, whose places in the list tell where the page begins. */
  #pageWithLast({ categoryId, from, limit }: IndexQuery, docs: Uint32Array, lastIds: readonly number[]): number[] {
    const compare = this.#compare('availability')
    const isLast = new Set(lastIds.map((id) => this.#docOf.get(id) ?? -1).filter(this.#belongsTo(categoryId)))
    const last = sortIds(isLast, compare)
    let at = from
    for (const doc of last) if (lowerBound(docs, (other) => compare(other, doc) < 0) <= at) at += 1
    const page: number[] = []
    for (; at < docs.length && page.length < limit; at++) if (!isLast.has(docs[at]!)) page.push(docs[at]!)
    const start = Math.max(0, from - (docs.length - last.length))
    return [...page, ...last.subarray(start, start + limit - page.length)]
  }

  /** The sorted documents of a query without its traits, and the test that they must pass; null: all do. */
  #candidates({ categoryId, sort, low, high, rank }: IndexQuery, found: WordMatches | null) {
    const docs = sort === null ? this.#ranked(categoryId, rank) : this.#priced(categoryId, sort, low, high)
    const anyPrice = sort !== null || (low <= 0 && high >= MAX_PRICE)
    const anyRank = sort === null || rank === null
    const isPriced = (doc: number) => anyPrice || (this.#prices[doc]! >= low && this.#prices[doc]! <= high)
    const isRanked = (doc: number) => anyRank || this.#ranks[doc] === rank
    const matches = (doc: number) => isPriced(doc) && isRanked(doc) && (!found || found.has(doc))
    return { docs, matches: !found && anyPrice && anyRank ? null : matches }
  }

  /** The traits of the animals in a list, by which it can be narrowed. */
  traitCounts(query: IndexQuery): TraitCounts {
    const { categoryId, low, high, rank, words, traits = {} } = query
    const isRange = rank === null && words.length === 0 && !this.#traits.matcher(traits)
    if (isRange) return this.#countsByPrice(categoryId).count(this.#priced(categoryId, 'asc', low, high))
    const { docs, matches } = this.#candidates(query, words.length > 0 ? this.#words.find(words) : null)
    const counter = this.#traits.counter(traits)
    for (let at = 0; at < docs.length; at++) if (!matches || matches(docs[at]!)) counter.add(docs[at]!)
    return counter.counts()
  }

  #countsByPrice(categoryId: number | null): RunningCounts {
    const counts = this.#counts.get(categoryId) ?? new RunningCounts(this.#order(categoryId, 'asc').docs, this.#traits)
    this.#counts.set(categoryId, counts)
    return counts
  }

  /**
   * Products that match a term: an exact barcode or tag first, then names with all words, then other texts with them, each by availability.
   * A term of eight or more digits is a scanned barcode and finds that product only.
   */
  search(term: string, limit: number): number[] {
    const exact = [...this.#coded('barcode', term), ...this.#coded('tag', term)]
    if (exact.length > 0 && SCANNED.test(term)) return this.#idsOf(exact.slice(0, 1))
    const words = searchWords(term)
    const found = this.#byAvailability(this.#words.find(words), Math.max(limit, MAX_NAMED) + exact.length)
    const others = namesFirst(found, words, (doc) => this.#names[doc]!)
    return this.#idsOf(new Set([...exact, ...others])).slice(0, limit)
  }

  /** Products whose texts have all words of a term in another spelling, the nearest spellings only. */
  searchSimilar(term: string, limit: number): number[] {
    for (const found of this.#words.findTolerant(searchWords(term))) {
      const similar = this.#byAvailability(found, limit)
      if (similar.length > 0) return this.#idsOf(similar)
    }
    return []
  }

  #coded(kind: 'barcode' | 'tag', term: string): number[] {
    const number = this.#words.numberOf(term)
    if (number === null || !this.#codeWords.has(number)) return []
    const coded: number[] = []
    const codes = this.#codes[kind]
    const docs = this.#words.docsOf(number)
    for (let at = 0; at < docs.length; at++) {
      const doc = docs[at]!
      if (codes[doc] === number && this.#visible[doc]) coded.push(doc)
    }
    return coded
  }

  #byAvailability(found: WordMatches, limit: number): number[] {
    if (found.few) {
      const docs = found.few.filter((doc) => this.#visible[doc])
      return docs.sort(this.#compare('availability')).slice(0, limit)
    }
    // With many matches, a scan of the sorted list meets the first ones soon.
    const first: number[] = []
    const { docs } = this.#order(null, 'availability')
    for (let at = 0; at < docs.length && first.length < limit; at++) if (found.has(docs[at]!)) first.push(docs[at]!)
    return first
  }

  /** Lowest and highest price of a category in poisha (0 when it is empty), and whether a product of it is in stock. */
  ends(categoryId: number): { lowest: number; highest: number; inStock: boolean } {
    const byPrice = this.#order(categoryId, 'asc').docs
    const first = this.#order(categoryId, 'availability').docs[0]
    const price = (doc: number | undefined) => (doc === undefined ? 0 : this.#prices[doc]!)
    return { lowest: price(byPrice[0]), highest: price(byPrice.at(-1)), inStock: first !== undefined && this.#ranks[first] === 0 }
  }

  /** Products of a category that can be ordered, nearest to a price (poisha) first. */
  near(categoryId: number, price: number, limit: number, exceptId: number): number[] {
    const { docs } = this.#order(categoryId, 'asc')
    const middle = lowerBound(docs, (doc) => this.#prices[doc]! < price)
    const nearest: number[] = []
    for (const [start, step] of [
      [middle, 1],
      [middle - 1, -1],
    ] as const) {
      let count = 0
      for (let at = start; at >= 0 && at < docs.length && count < limit; at += step) {
        const doc = docs[at]!
        if (this.#ranks[doc]! > MAX_ORDERABLE_RANK || this.#ids[doc] === exceptId) continue
        nearest.push(doc)
        count++
      }
    }
    const away = (doc: number) => Math.abs(this.#prices[doc]! - price)
    return this.#idsOf(nearest.sort((a, b) => away(a) - away(b) || this.#ids[a]! - this.#ids[b]!).slice(0, limit))
  }

  #ranked(categoryId: number | null, rank: number | null): Uint32Array {
    const { docs } = this.#order(categoryId, 'availability')
    if (rank === null) return docs
    return docs.subarray(
      lowerBound(docs, (doc) => this.#ranks[doc]! < rank),
      lowerBound(docs, (doc) => this.#ranks[doc]! <= rank),
    )
  }

  #priced(categoryId: number | null, sort: 'asc' | 'desc', low: number, high: number): Uint32Array {
    const { docs } = this.#order(categoryId, sort)
    const tooEarly = (doc: number) => (sort === 'asc' ? this.#prices[doc]! < low : this.#prices[doc]! > high)
    const notTooLate = (doc: number) => (sort === 'asc' ? this.#prices[doc]! <= high : this.#prices[doc]! >= low)
    return docs.subarray(lowerBound(docs, tooEarly), lowerBound(docs, notTooLate))
  }

  /** A sorted list is built at its first use and updated from then on. */
  #order(categoryId: number | null, sort: Sort): Order {
    const key = `${sort} ${categoryId ?? ''}`
    const known = this.#orders.get(key)
    if (known) return known
    const compare = this.#compare(sort)
    const docs = sortIds([...this.#docOf.values()].filter(this.#belongsTo(categoryId)), compare)
    const order = { categoryId, sort, compare, docs }
    this.#orders.set(key, order)
    return order
  }

  #belongsTo(categoryId: number | null): (doc: number) => boolean {
    return (doc) =>
      this.#visible[doc] === true &&
      (categoryId === null || this.#categories[doc] === categoryId || this.#further.get(doc)?.includes(categoryId) === true)
  }

  #compare(sort: Sort): Compare {
    const first = sort === 'availability' ? this.#ranks : this.#prices
    const sign = sort === 'desc' ? -1 : 1
    return (a, b) => sign * (first[a]! - first[b]!) || this.#ids[a]! - this.#ids[b]!
  }

  #idsOf(docs: Iterable<number>): number[] {
    return Array.from(docs, (doc) => this.#ids[doc]!)
  }
}
