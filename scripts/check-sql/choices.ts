/** Answers of conditions by the condition's text. */
export type Answers = ReadonlyMap<string, number>

/**
 * Decides which branch of a condition an evaluation takes: the one in `answers`, else the first, or the last when `isLast`. A condition
 * that occurs twice gets the same answer.
 */
export class Choices {
  readonly #answers: Answers
  readonly #isLast: boolean
  /** The conditions met, with their number of alternatives. */
  readonly met = new Map<string, number>()

  constructor(answers: Answers = new Map(), isLast = false) {
    this.#answers = answers
    this.#isLast = isLast
  }

  pick(condition: string, count: number): number {
    const key = `${condition} of ${count}`
    this.met.set(key, count)
    return this.#answers.get(key) ?? (this.#isLast ? count - 1 : 0)
  }

  pickOf<Item>(condition: string, items: readonly Item[]): Item {
    return items[items.length === 1 ? 0 : this.pick(condition, items.length)]!
  }
}

const MAX_RUNS = 96

interface Plan {
  answers: Answers
  /** How many conditions, in the order in which they are met, this plan has decided about. */
  decided: number
}

/**
 * Runs the combinations of alternatives: first those with an alternative that no other run had, then the others, at most 96; and once
 * the last alternative of every condition.
 */
export function exploreChoices(run: (choices: Choices) => void): void {
  const taken = new Set<string>()
  const fresh: Plan[] = [{ answers: new Map(), decided: 0 }]
  const others: Plan[] = []
  for (let runs = 0; runs < MAX_RUNS; runs++) {
    const plan = fresh.shift() ?? others.shift()
    if (!plan) return
    const choices = new Choices(plan.answers)
    run(choices)
    for (const [index, [condition, count]] of [...choices.met].slice(plan.decided).entries()) {
      for (let answer = 1; answer < count; answer++) {
        const key = `${condition}: ${answer}`
        const list = taken.has(key) ? others : fresh
        list.push({ answers: new Map([...plan.answers, [condition, answer]]), decided: plan.decided + index + 1 })
        taken.add(key)
      }
    }
  }
  run(new Choices(new Map(), true))
}
