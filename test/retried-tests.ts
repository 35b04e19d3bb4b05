import type { Reporter, TestCase } from 'vitest/node'

/** Names the tests that passed at their second try: to be looked into although the run is good. */
export default class RetriedTests implements Reporter {
  readonly #names: string[] = []

  onTestCaseResult(test: TestCase): void {
    if (test.result().state === 'passed' && (test.diagnostic()?.retryCount ?? 0) > 0) this.#names.push(test.fullName)
  }

  onTestRunEnd(): void {
    for (const name of this.#names) console.log(`Passed at its second try: ${name}`)
  }
}
