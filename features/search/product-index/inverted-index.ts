import { isWordPrefix } from '#lib/format/search-term.ts'
import { BitSet, intersectSorted, GrowableUint32 } from './growable-uint32.ts'
import { SpellingIndex, type SpellingTiers } from './spelling-index.ts'

const GRAM = 3
const MAX_FEW = 256
const NO_MATCHES: WordMatches = { count: 0, few: [], has: () => false }

/** Documents whose texts contain all words: their number, a membership test, and the unsorted list when there are few. */
export interface WordMatches {
  count: number
  few: readonly number[] | null
  has(doc: number): boolean
}

/**
 * Inverted index: word → documents, plus three letters in a row (or a space and the first letter) → words. Texts are never removed; the
 * caller filters documents that are no longer visible.
 */
export class InvertedIndex {
  readonly #numbers = new Map<string, number>()
  readonly #words: string[] = []
  /** The documents of each word; most words have only one. */
  readonly #docs: (number | GrowableUint32)[] = []
  readonly #grams = new Map<string, GrowableUint32>()
  readonly #spellings = new SpellingIndex()
  readonly #bitSets = [new BitSet(), new BitSet()] as const

  /** Adds the words of a text under a document number. Each number is used once. */
  add(doc: number, text: string): void {
    for (const word of new Set(text.split(' '))) if (word !== '') this.#addWord(doc, word)
  }

  #addWord(doc: number, word: string): void {
    const number = this.#numbers.get(word)
    if (number === undefined) return this.#newWord(doc, word)
    const docs = this.#docs[number]!
    if (typeof docs === 'number') {
      const list = new GrowableUint32()
      list.add(docs)
      list.add(doc)
      this.#docs[number] = list
    } else docs.add(doc)
  }

  #newWord(doc: number, word: string): void {
    const number = this.#words.length
    this.#words.push(word)
    this.#numbers.set(word, number)
    this.#docs.push(doc)
    this.#spellings.add(word, number)
    const prefixed = ` ${word}`
    this.#addGram(prefixed.slice(0, 2), number)
    for (let at = 0; at + GRAM <= prefixed.length; at++) this.#addGram(prefixed.slice(at, at + GRAM), number)
  }

  #addGram(gram: string, number: number): void {
    let list = this.#grams.get(gram)
    if (!list) this.#grams.set(gram, (list = new GrowableUint32()))
    if (list.last() !== number) list.add(number)
  }

  /**
   * Texts that contain every word; very short words must begin a word of the text. The result is valid until the next call, which reuses
   * its bit sets.
   */
  find(words: readonly string[]): WordMatches {
    return this.#withAll(words.map((word) => () => [this.#wordsWith(word)]))
  }

  /**
   * Texts that contain every word, each as it is or in another spelling: results of growing tolerance, each computed when it is
   * requested and valid until the next one. Words that some text has as they are may differ only when no text has them with the others.
   * A code (a word with digits) has one spelling.
   */
  *findTolerant(words: readonly string[]): Generator<WordMatches> {
    const spellings = words.map((word) => ({ word, exact: this.#wordsWith(word).slice(), tiers: null as SpellingTiers | null }))
    const unknown = spellings.filter(({ exact }) => exact.length === 0)
    for (const differing of unknown.length === 0 || unknown.length === words.length ? [spellings] : [unknown, spellings]) {
      const listsOf = (one: (typeof spellings)[number], errors: number) => {
        if (!differing.includes(one)) return [one.exact]
        one.tiers ??= this.#spellings.find(one.word)
        return [one.exact, ...one.tiers.slice(0, errors + 1)]
      }
      for (let errors = 0; errors <= 2; errors++) {
        // A word without tiers is behind one that nothing has; its lists cannot matter as long as those of the others stay the same.
        if (errors > 0 && !differing.some(({ tiers }) => tiers !== null && tiers[errors]!.length > 0)) continue
        yield this.#withAll(spellings.map((one) => () => listsOf(one, errors)))
      }
    }
  }

  /** Texts that contain one of the words of every list; a list is computed when its turn comes. */
  #withAll(words: readonly (() => ArrayLike<number>[])[]): WordMatches {
    let found = NO_MATCHES
    let [matched, previous] = this.#bitSets
    for (const [at, numbers] of words.entries()) {
      found = this.#withWord(numbers(), matched, at === 0 ? null : previous)
      if (found.count === 0) break
      ;[matched, previous] = [previous, matched]
    }
    return found
  }

  #withWord(lists: readonly ArrayLike<number>[], matched: BitSet, previous: BitSet | null): WordMatches {
    const few: number[] = []
    let count = 0
    const match = (doc: number) => {
      if ((previous === null || previous.has(doc)) && matched.add(doc) && count++ < MAX_FEW) few.push(doc)
    }
    matched.clear()
    for (const numbers of lists) for (let at = 0; at < numbers.length; at++) this.#eachDoc(numbers[at]!, match)
    return { count, few: count <= MAX_FEW ? few : null, has: (doc) => matched.has(doc) }
  }

  #eachDoc(word: number, match: (doc: number) => void): void {
    const of = this.#docs[word]!
    if (typeof of === 'number') return match(of)
    const all = of.all()
    for (let at = 0; at < all.length; at++) match(all[at]!)
  }

  /** The number of a whole word; null when no text has it. */
  numberOf(word: string): number | null {
    return this.#numbers.get(word) ?? null
  }

  /** The documents that have this word. */
  docsOf(number: number): ArrayLike<number> {
    const docs = this.#docs[number]!
    return typeof docs === 'number' ? [docs] : docs.all()
  }

  /** The numbers of the words that contain this part. */
  #wordsWith(part: string): Uint32Array {
    const begins = isWordPrefix(part)
    const prefixed = begins ? ` ${part}` : part
    const lists = this.#listsOf(prefixed)
    if (lists.length === 0) return new Uint32Array()
    if (lists.length === 1) return lists[0]!
    const candidates = intersectSorted(lists[0]!, lists[1]!)
    // Filtered in place: `filter` of a typed array takes several times as long.
    let count = 0
    for (let at = 0; at < candidates.length; at++) {
      const number = candidates[at]!
      const word = this.#words[number]!
      if (begins ? word.startsWith(part) : word.includes(part)) candidates[count++] = number
    }
    return candidates.subarray(0, count)
  }

  /** The word lists of the part's trigrams, shortest first; none when one is missing. */
  #listsOf(prefixed: string): Uint32Array[] {
    const length = Math.min(GRAM, prefixed.length)
    const lists: Uint32Array[] = []
    for (let at = 0; at + length <= prefixed.length; at++) {
      const list = this.#grams.get(prefixed.slice(at, at + length))
      if (!list) return []
      lists.push(list.all())
    }
    return lists.sort((a, b) => a.length - b.length)
  }
}
