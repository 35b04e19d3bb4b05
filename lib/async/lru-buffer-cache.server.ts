/** Bytes by their keys, up to so many of both; what has not been asked for longest goes first. */
export class LruBufferCache {
  readonly #pieces = new Map<string, Buffer>()
  readonly #most: number
  #size = 0

  constructor(mostBytes: number) {
    this.#most = mostBytes
  }

  /** What they take, about: a key has two bytes a letter at worst. */
  get size(): number {
    return this.#size
  }

  /** The kept bytes, or those of the text that `make` gives. */
  of(key: string, make: () => string): Buffer {
    const known = this.#pieces.get(key)
    if (known) {
      // A map remembers in which order its keys came.
      this.#pieces.delete(key)
      this.#pieces.set(key, known)
      return known
    }
    const text = make()
    // Not from the common pool: one kept piece would keep its neighbours.
    const made = Buffer.allocUnsafeSlow(Buffer.byteLength(text))
    made.write(text)
    this.#pieces.set(key, made)
    this.#size += sizeOf(key, made)
    for (const [oldKey, old] of this.#pieces) {
      if (this.#size <= this.#most) break
      this.#pieces.delete(oldKey)
      this.#size -= sizeOf(oldKey, old)
    }
    return made
  }
}

const sizeOf = (key: string, piece: Buffer) => key.length * 2 + piece.length
