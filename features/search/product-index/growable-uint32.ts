const INITIAL_CAPACITY = 4

/** A growing list of 32-bit unsigned integers. */
export class GrowableUint32 {
  #items = new Uint32Array(INITIAL_CAPACITY)
  length = 0

  add(number: number): void {
    if (this.length === this.#items.length) {
      const wider = new Uint32Array(Math.ceil(this.length * 1.5))
      wider.set(this.#items)
      this.#items = wider
    }
    this.#items[this.length++] = number
  }

  last(): number | undefined {
    return this.length === 0 ? undefined : this.#items[this.length - 1]
  }

  all(): Uint32Array {
    return this.#items.subarray(0, this.length)
  }
}

/** A set of small whole numbers, one bit each up to the largest. */
export class BitSet {
  #bits = new Uint32Array(INITIAL_CAPACITY)

  /** Returns whether the number is new. */
  add(number: number): boolean {
    const at = number >>> 5
    const bit = 1 << (number & 31)
    if (at >= this.#bits.length) this.#widen(at)
    const before = this.#bits[at]!
    this.#bits[at] = before | bit
    return (before & bit) === 0
  }

  has(number: number): boolean {
    return (this.#bits[number >>> 5]! & (1 << (number & 31))) !== 0
  }

  clear(): void {
    this.#bits.fill(0)
  }

  #widen(at: number): void {
    const wider = new Uint32Array(Math.ceil((at + 1) * 1.5))
    wider.set(this.#bits)
    this.#bits = wider
  }
}

/** The intersection of two ascending lists. */
export function intersectSorted(some: Uint32Array, others: Uint32Array): Uint32Array {
  const [few, many] = some.length <= others.length ? [some, others] : [others, some]
  const both = new Uint32Array(few.length)
  const skips = few.length * 16 < many.length
  let count = 0
  let at = 0
  for (const number of few) {
    if (skips) at = firstAtLeast(many, number, at)
    else while (at < many.length && many[at]! < number) at++
    if (at === many.length) break
    if (many[at] === number) both[count++] = number
  }
  return both.subarray(0, count)
}

function firstAtLeast(ascending: Uint32Array, number: number, from: number): number {
  let [low, high] = [from, ascending.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (ascending[middle]! < number) low = middle + 1
    else high = middle
  }
  return low
}
