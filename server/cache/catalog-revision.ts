/**
 * Counts the changes of the catalog that this process knows of, its own and those of other processes (`invalidation.ts`).
 * A cache stores the revision with its entries, or clears itself through `onAdvance`.
 */
export class CatalogRevision {
  /** False while the process cannot receive changes. Caches must not be used then. */
  isSubscribed = false
  #current = 1
  readonly #listeners: (() => void)[] = []

  get current(): number {
    return this.#current
  }

  /** The current revision, or null while the process cannot receive changes. */
  get ifSubscribed(): number | null {
    return this.isSubscribed ? this.#current : null
  }

  /** Records a change of the catalog and clears the caches that depend on it. */
  advance(): void {
    this.#current += 1
    for (const listener of this.#listeners) listener()
  }

  onAdvance(listener: () => void): void {
    this.#listeners.push(listener)
  }
}
