import { isWordPrefix } from '#lib/format/search-term.ts'
import { Bits, intersectSorted, GrowableUint32 } from './growable-uint32.ts'

const GRAM = 3
const FEW = 256
const NOTHING: WordMatches = { count: 0, few: [], has: () => false }

/** The places whose texts hold all words: how many, and whether one is among them; the places themselves, in no order, when they are few. */
export interface WordMatches {
  count: number
  few: readonly number[] | null
  has(place: number): boolean
}

/**
 * Which texts hold which words, or parts of them. A word stands here once however many texts hold it; from three letters in a row, or
 * from its first two, a list leads to the words that have them. A text stays once it is added; what is no longer to be found is the caller's affair.
 */
export class InvertedIndex {
  readonly #numbers = new Map<string, number>()
  readonly #words: string[] = []
  /** Of each word the places of its texts; most words have but one. */
  readonly #places: (number | GrowableUint32)[] = []
  readonly #grams = new Map<string, GrowableUint32>()
  readonly #rooms = [new Bits(), new Bits()] as const

  /** Adds a text under a place: words between spaces. Places are small whole numbers, each used once. */
  add(place: number, text: string): void {
    for (const word of new Set(text.split(' '))) if (word !== '') this.#addWord(place, word)
  }

  #addWord(place: number, word: string): void {
    const number = this.#numbers.get(word)
    if (number === undefined) return this.#newWord(place, word)
    const places = this.#places[number]!
    if (typeof places === 'number') {
      const list = new GrowableUint32()
      list.add(places)
      list.add(place)
      this.#places[number] = list
    } else places.add(place)
  }

  #newWord(place: number, word: string): void {
    const number = this.#words.length
    this.#words.push(word)
    this.#numbers.set(word, number)
    this.#places.push(place)
    const marked = ` ${word}`
    this.#addGram(marked.slice(0, 2), number)
    for (let at = 0; at + GRAM <= marked.length; at++) this.#addGram(marked.slice(at, at + GRAM), number)
  }

  #addGram(gram: string, number: number): void {
    let list = this.#grams.get(gram)
    if (!list) this.#grams.set(gram, (list = new GrowableUint32()))
    if (list.last() !== number) list.add(number)
  }

  /**
   * Texts that hold every one of the words somewhere; very short ones must begin a word of the text. Good until it is asked again:
   * the marks are made in the same room.
   */
  find(words: readonly string[]): WordMatches {
    let found = NOTHING
    let [marks, within] = this.#rooms
    for (const [at, word] of words.entries()) {
      found = this.#withWord(word, marks, at === 0 ? null : within)
      if (found.count === 0) break
      ;[marks, within] = [within, marks]
    }
    return found
  }

  #withWord(part: string, marks: Bits, within: Bits | null): WordMatches {
    const few: number[] = []
    let count = 0
    const mark = (place: number) => {
      if ((within === null || within.has(place)) && marks.add(place) && count++ < FEW) few.push(place)
    }
    marks.clear()
    for (const number of this.#wordsWith(part)) {
      const of = this.#places[number]!
      if (typeof of === 'number') mark(of)
      else {
        const all = of.all()
        for (let at = 0; at < all.length; at++) mark(all[at]!)
      }
    }
    return { count, few: count <= FEW ? few : null, has: (place) => marks.has(place) }
  }

  /** The number of a whole word, by which it can be told from others; null when no text has it. */
  numberOf(word: string): number | null {
    return this.#numbers.get(word) ?? null
  }

  /** The places of the texts that have this word. */
  placesOf(number: number): ArrayLike<number> {
    const places = this.#places[number]!
    return typeof places === 'number' ? [places] : places.all()
  }

  /** The numbers of the words that hold this part. */
  #wordsWith(part: string): Uint32Array {
    const begins = isWordPrefix(part)
    const marked = begins ? ` ${part}` : part
    const lists = this.#listsOf(marked)
    if (lists.length === 0) return new Uint32Array()
    if (lists.length === 1) return lists[0]!
    const candidates = intersectSorted(lists[0]!, lists[1]!)
    // SerializedResult over in place: `filter` of such an array takes several times as long.
    let count = 0
    for (let at = 0; at < candidates.length; at++) {
      const number = candidates[at]!
      const word = this.#words[number]!
      if (begins ? word.startsWith(part) : word.includes(part)) candidates[count++] = number
    }
    return candidates.subarray(0, count)
  }

  /** The lists of a part's letters, the shortest first; none when one of them is missing. */
  #listsOf(marked: string): Uint32Array[] {
    const length = Math.min(GRAM, marked.length)
    const lists: Uint32Array[] = []
    for (let at = 0; at + length <= marked.length; at++) {
      const list = this.#grams.get(marked.slice(at, at + length))
      if (!list) return []
      lists.push(list.all())
    }
    return lists.sort((a, b) => a.length - b.length)
  }
}
