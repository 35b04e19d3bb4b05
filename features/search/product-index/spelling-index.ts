import { spellingKey } from '#lib/format/spelling-key.ts'
import { GrowableUint32 } from './growable-uint32.ts'

/** Keys are compared up to this length; a longer one is not a word. */
const MAX_KEY = 31
const MIN_PREFIX = 3
/** Compared keys of one word: about 4 ms. Bounds what one search can cost. */
const MAX_COMPARED = 20_000
/** The words of one tier: more of them help nobody. */
const MAX_WORDS = 200
const TOO_FAR = 9

/** Word numbers by how much must be forgiven: the same key or its beginning, one letter, two letters. */
export type SpellingTiers = [number[], number[], number[]]

/** Where a key stands among the letters of all. */
interface Key {
  start: number
  length: number
}

/** The letters that may differ in a key of this length: none up to three, one up to seven, then two. */
export function allowedEdits(length: number): 0 | 1 | 2 {
  return length < 4 ? 0 : length < 8 ? 1 : 2
}

/**
 * The spelling keys of the words of an inverted index, one byte a letter, in buckets by first letter and length. A search compares the
 * keys of the buckets whose first letter is one of its first two.
 */
export class SpellingIndex {
  #letters = new Uint8Array(1024)
  #used = 0
  readonly #starts = new GrowableUint32()
  readonly #words = new GrowableUint32()
  /** The letters of each key as bits: most keys are ruled out without a comparison. */
  readonly #masks = new GrowableUint32()
  readonly #buckets = new Map<number, GrowableUint32>()
  /** Three rows of the distance matrix. */
  readonly #rows = [new Uint8Array(MAX_KEY + 1), new Uint8Array(MAX_KEY + 1), new Uint8Array(MAX_KEY + 1)] as const

  /** Adds a word of the inverted index; codes have no key. */
  add(word: string, number: number): void {
    const key = spellingKey(word)
    if (key.length < 2 || key.length > MAX_KEY) return
    const entry = this.#starts.length
    this.#starts.add(this.#used)
    this.#words.add(number)
    this.#masks.add(maskOf(Uint8Array.from(key, (letter) => letter.charCodeAt(0))))
    this.#write(key)
    const bucket = bucketOf(key.charCodeAt(0), key.length)
    let list = this.#buckets.get(bucket)
    if (!list) this.#buckets.set(bucket, (list = new GrowableUint32()))
    list.add(entry)
  }

  #write(key: string): void {
    if (this.#used + key.length > this.#letters.length) {
      const wider = new Uint8Array(Math.ceil((this.#used + key.length) * 1.5))
      wider.set(this.#letters)
      this.#letters = wider
    }
    for (let at = 0; at < key.length; at++) this.#letters[this.#used++] = key.charCodeAt(at)
  }

  /** The words that are spelled like this one; a prefix counts like a whole word with one error more. */
  find(word: string): SpellingTiers {
    const key = spellingKey(word)
    const tiers: SpellingTiers = [[], [], []]
    if (key.length < 2 || key.length > MAX_KEY) return tiers
    // A Bengali letter may be two letters of the key.
    const length = Math.min(key.length, [...word].length)
    const edits = allowedEdits(length)
    const isShort = length < MIN_PREFIX
    const typed = Uint8Array.from(key, (letter) => letter.charCodeAt(0))
    // Views are made once: one for each comparison would take longer than the comparison.
    const [starts, words, masks] = [this.#starts.all(), this.#words.all(), this.#masks.all()]
    const mask = maskOf(typed)
    // A short word begins no other, so only keys of about its length are like it.
    const longest = isShort ? typed.length + edits : MAX_KEY
    let compared = 0
    for (const first of new Set(edits === 0 ? [typed[0]!] : [typed[0]!, typed[1]!])) {
      for (let size = Math.max(1, typed.length - edits); size <= longest; size++) {
        const entries = this.#buckets.get(bucketOf(first, size))?.all()
        for (let at = 0; entries && at < entries.length && compared < MAX_COMPARED; at++) {
          const entry = entries[at]!
          if (hasMoreBits(mask & ~masks[entry]!, edits)) continue
          compared++
          const tier = this.#tierOf({ start: starts[entry]!, length: size }, typed, { edits, isShort })
          if (tier <= 2 && tiers[tier]!.length < MAX_WORDS) tiers[tier]!.push(words[entry]!)
        }
      }
    }
    return tiers
  }

  #tierOf(key: Key, typed: Uint8Array, { edits, isShort }: { edits: number; isShort: boolean }): number {
    const { whole, prefix } = this.#distance(key, typed, edits)
    if (whole <= edits) return whole
    if (isShort || prefix > Math.min(edits, 1)) return TOO_FAR
    return prefix === 0 ? 0 : 2
  }

  /** Edit distance to a key and to its nearest beginning, at most `edits`; swapped neighbours count once (optimal string alignment). */
  #distance({ start, length }: Key, typed: Uint8Array, edits: number): { whole: number; prefix: number } {
    const letters = this.#letters
    let [before, last, row] = this.#rows
    for (let at = 0; at <= typed.length; at++) last[at] = at
    let prefix = TOO_FAR
    for (let line = 1; line <= length; line++) {
      const letter = letters[start + line - 1]!
      row[0] = line
      let nearest: number = line
      for (let at = 1; at <= typed.length; at++) {
        const isSame = letter === typed[at - 1]
        let distance = Math.min(last[at]! + 1, row[at - 1]! + 1, last[at - 1]! + (isSame ? 0 : 1))
        if (line > 1 && at > 1 && letter === typed[at - 2] && letters[start + line - 2] === typed[at - 1]) {
          distance = Math.min(distance, before[at - 2]! + 1)
        }
        row[at] = distance
        if (distance < nearest) nearest = distance
      }
      if (row[typed.length]! < prefix) prefix = row[typed.length]!
      if (nearest > edits) return { whole: TOO_FAR, prefix }
      ;[before, last, row] = [last, row, before]
    }
    return { whole: last[typed.length]!, prefix }
  }
}

const bucketOf = (first: number, length: number) => first * (MAX_KEY + 1) + length

/** The letters a-z of a key, a bit each. */
function maskOf(letters: Uint8Array): number {
  let mask = 0
  for (const letter of letters) mask |= 1 << (letter - 97)
  return mask
}

function hasMoreBits(bits: number, limit: number): boolean {
  let rest = bits
  for (let count = 0; rest !== 0; count++, rest &= rest - 1) if (count === limit) return true
  return false
}
