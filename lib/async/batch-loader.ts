/**
 * Questions of one moment, asked as one: whoever comes before the process has heard everybody else who is there shares the asking, and who asks
 * the same shares the answer. Each answer is found after its question came.
 */
export class BatchLoader<Key, Answer> {
  readonly #ask: (keys: Key[]) => Promise<Map<Key, Answer>>
  #keys: Set<Key> | null = null
  #answers: Promise<Map<Key, Answer>> = Promise.resolve(new Map())

  constructor(ask: (keys: Key[]) => Promise<Map<Key, Answer>>) {
    this.#ask = ask
  }

  async find(key: Key): Promise<Answer | undefined> {
    return (await this.findAll([key])).get(key)
  }

  /** The answers to these questions, and maybe to others. */
  findAll(keys: readonly Key[]): Promise<Map<Key, Answer>> {
    if (this.#keys === null) {
      const asked = new Set<Key>()
      this.#keys = asked
      this.#answers = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
        this.#keys = null
        return this.#ask([...asked])
      })
    }
    for (const key of keys) this.#keys.add(key)
    return this.#answers
  }
}
