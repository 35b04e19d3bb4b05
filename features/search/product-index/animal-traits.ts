/** What lists and search filter animals by. Other products have none of it. */
export interface AnimalTraits {
  weightGrams: number | null
  /** The English name of the breed, and the Bengali one. */
  breed: string | null
  breedBn: string | null
  coat: string | null
  teeth: number | null
  sex: string | null
}

export const NO_TRAITS: AnimalTraits = { weightGrams: null, breed: null, breedBn: null, coat: null, teeth: null, sex: null }

export const TRAITS = ['breed', 'sex', 'teeth', 'coat'] as const
export type Trait = (typeof TRAITS)[number]

/** Values that animals must have; a missing one is any. */
export interface TraitValues {
  breed?: string | undefined
  coat?: string | undefined
  teeth?: number | undefined
  sex?: string | undefined
}

/** The same with weights in grams, inclusive. */
export interface TraitFilter extends TraitValues {
  minGrams?: number | undefined
  maxGrams?: number | undefined
}

/** A value and the number of animals that have it; `bn`: the Bengali name of a breed. */
export interface TraitCount {
  value: string | number
  bn: string | null
  count: number
}

/** The values of each trait in a list. */
export type TraitCounts = Record<Trait, TraitCount[]>

export interface TraitCounter {
  add(doc: number): void
  /** Adds documents by the rows of `runningSums` before and after them; without a filter only. */
  addSums(running: readonly Uint32Array[], fromRow: number, toRow: number): void
  counts(): TraitCounts
}

const NONE = 0

/** The traits of all documents, each value as a small number; 0 is none. */
export class TraitColumns {
  readonly #grams: number[] = []
  readonly #columns: Record<Trait, number[]> = { breed: [], sex: [], teeth: [], coat: [] }
  readonly #numbers: Record<Trait, Map<string | number, number>> = { breed: new Map(), sex: new Map(), teeth: new Map(), coat: new Map() }
  readonly #breedsBn = new Map<string, string>()

  set(doc: number, traits: AnimalTraits): void {
    this.#grams[doc] = traits.weightGrams ?? 0
    for (const trait of TRAITS) this.#columns[trait][doc] = this.#numberOf(trait, traits[trait])
    if (traits.breed && traits.breedBn) this.#breedsBn.set(traits.breed, traits.breedBn)
  }

  #numberOf(trait: Trait, value: string | number | null): number {
    if (value === null || value === '') return NONE
    let number = this.#numbers[trait].get(value)
    if (number === undefined) {
      number = this.#numbers[trait].size + 1
      this.#numbers[trait].set(value, number)
    }
    return number
  }

  /** The number that a document must have for each trait; null: any. */
  #wanted(filter: TraitValues): (number | null)[] {
    return TRAITS.map((trait) => {
      const value = filter[trait]
      return value === undefined ? null : (this.#numbers[trait].get(value) ?? -1)
    })
  }

  /** A test for documents; null when the filter is empty. A value that no animal has matches nothing. */
  matcher(filter: TraitFilter): ((doc: number) => boolean) | null {
    const { minGrams = 0, maxGrams = Infinity } = filter
    const wanted = this.#wanted(filter).flatMap((number, at) => (number === null ? [] : [{ column: this.#columns[TRAITS[at]!], number }]))
    const hasWeight = minGrams > 0 || maxGrams < Infinity
    if (!hasWeight && wanted.length === 0) return null
    return (doc) => {
      if (hasWeight && (this.#grams[doc]! < Math.max(1, minGrams) || this.#grams[doc]! > maxGrams)) return false
      for (const { column, number } of wanted) if (column[doc] !== number) return false
      return true
    }
  }

  /** For each trait a table: row n counts its values in the first n × `rowDocs` documents of a list. */
  runningSums(docs: Uint32Array, rowDocs: number): Uint32Array[] {
    const rows = Math.floor(docs.length / rowDocs)
    return TRAITS.map((trait) => {
      const column = this.#columns[trait]
      const width = this.#numbers[trait].size + 1
      const sums = new Uint32Array((rows + 1) * width)
      for (let row = 1; row <= rows; row++) {
        sums.copyWithin(row * width, (row - 1) * width, row * width)
        for (let at = (row - 1) * rowDocs; at < row * rowDocs; at++) sums[row * width + column[docs[at]!]!]! += 1
      }
      return sums
    })
  }

  /**
   * Counts the values of documents that match a filter. The values of a trait are counted without the filter on that trait, so that
   * another one can be chosen. A chosen value is listed even where nothing has it.
   */
  counter(filter: TraitValues): TraitCounter {
    const wanted = this.#wanted(filter)
    const columns = TRAITS.map((trait) => this.#columns[trait])
    const sums = TRAITS.map((trait) => new Uint32Array(this.#numbers[trait].size + 1))
    const add = (doc: number) => {
      let failed = -1
      for (let at = 0; at < wanted.length; at++) {
        if (wanted[at] === null || columns[at]![doc] === wanted[at]) continue
        if (failed !== -1) return
        failed = at
      }
      for (let at = 0; at < sums.length; at++) if (failed === -1 || failed === at) sums[at]![columns[at]![doc]!]! += 1
    }
    const addSums = (running: readonly Uint32Array[], from: number, to: number) => {
      for (const [at, own] of sums.entries()) {
        const width = own.length
        for (let number = 0; number < width; number++)
          own[number]! += running[at]![to * width + number]! - running[at]![from * width + number]!
      }
    }
    const valuesOf = (trait: Trait, at: number) => {
      const bnOf = (value: string | number) => (trait === 'breed' ? (this.#breedsBn.get(String(value)) ?? null) : null)
      const values: TraitCount[] = [...this.#numbers[trait]].map(([value, number]) => ({
        value,
        bn: bnOf(value),
        count: sums[at]![number]!,
      }))
      const chosen = filter[trait]
      if (chosen !== undefined && wanted[at] === -1) values.push({ value: chosen, bn: null, count: 0 })
      return values.filter(({ value, count }) => count > 0 || value === chosen)
    }
    return { add, addSums, counts: () => Object.fromEntries(TRAITS.map((trait, at) => [trait, valuesOf(trait, at)])) as TraitCounts }
  }
}
