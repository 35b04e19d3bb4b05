/** A number that rises with every change; null while changes cannot be observed, so that nothing may be reused. */
export type Revision = () => number | null

/** Clears what depends on a revision as soon as another one holds. */
export class RevisionGuard {
  readonly #revision: Revision
  readonly #clear: () => void
  #known: number | null = null

  constructor(revision: Revision, clear: () => void) {
    this.#revision = revision
    this.#clear = clear
  }

  check(): void {
    const revision = this.#revision()
    if (revision !== null && revision === this.#known) return
    this.#clear()
    this.#known = revision
  }
}

/** Loads a value once per revision; concurrent callers share the load. A failed load is not reused. */
export class RevisionCache<Value> {
  readonly #load: () => Promise<Value>
  readonly #guard: RevisionGuard
  #value: Promise<Value> | null = null

  constructor(revision: Revision, load: () => Promise<Value>) {
    this.#load = load
    this.#guard = new RevisionGuard(revision, () => this.invalidate())
  }

  get(): Promise<Value> {
    this.#guard.check()
    if (this.#value) return this.#value
    const value = this.#load()
    value.catch(() => {
      if (this.#value === value) this.invalidate()
    })
    return (this.#value = value)
  }

  /** The next `get` loads again. */
  invalidate(): void {
    this.#value = null
  }
}
