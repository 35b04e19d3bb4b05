import type { TraitColumns, TraitCounts } from './animal-traits.ts'

/** Documents from one running sum to the next. */
const BLOCK = 64

/**
 * How often each trait's values stand before every 64th document of a sorted list. They count a range of any length by the sums at its ends and
 * the few documents beside them.
 */
export class RunningCounts {
  readonly #docs: Uint32Array
  readonly #traits: TraitColumns
  readonly #sums: Uint32Array[]

  constructor(docs: Uint32Array, traits: TraitColumns) {
    this.#docs = docs
    this.#traits = traits
    this.#sums = traits.runningSums(docs, BLOCK)
  }

  /** The traits of a part of the list, which is a `subarray` of it. */
  count(part: Uint32Array): TraitCounts {
    const start = (part.byteOffset - this.#docs.byteOffset) / part.BYTES_PER_ELEMENT
    const end = start + part.length
    const counter = this.#traits.counter({})
    const firstBlock = Math.ceil(start / BLOCK)
    const lastBlock = Math.max(firstBlock, Math.floor(end / BLOCK))
    for (let at = start; at < Math.min(end, firstBlock * BLOCK); at++) counter.add(this.#docs[at]!)
    if (firstBlock < lastBlock) counter.addSums(this.#sums, firstBlock, lastBlock)
    for (let at = lastBlock * BLOCK; at < end; at++) counter.add(this.#docs[at]!)
    return counter.counts()
  }
}
