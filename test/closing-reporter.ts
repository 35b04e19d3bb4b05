import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { Reporter, SerializedError, TestCase, TestModule } from 'vitest/node'

const MAX_ERROR_LENGTH = 200

/**
 * Repeats at the end, a line each, what to look into: tests that failed, files that could not run, and tests that passed only at a later
 * try although the run is good. Some services store only the end of a long log.
 */
export default class ClosingReporter implements Reporter {
  readonly #lines: string[] = []

  onTestCaseResult(test: TestCase): void {
    const { state, errors } = test.result()
    if (state === 'failed') this.#lines.push(`Failed: ${test.module.relativeModuleId} > ${test.fullName}${reason(errors)}`)
    const retries = test.diagnostic()?.retryCount ?? 0
    if (state === 'passed' && retries > 0) this.#lines.push(`Passed at try ${retries + 1}: ${test.fullName}${reason(errors)}`)
  }

  onTestModuleEnd(file: TestModule): void {
    const errors = file.errors()
    if (errors.length > 0) this.#lines.push(`Could not run: ${file.relativeModuleId}${reason(errors)}`)
  }

  onTestRunEnd(_files: readonly TestModule[], errors: readonly SerializedError[]): void {
    for (const error of errors) this.#lines.push(`Uncaught error${reason([error])}`)
    for (const line of this.#lines) console.log(line)
  }
}

/** The first line of the error, what a browser did last before it gave up (or the next line), where, and what its page showed. */
function reason([error]: readonly SerializedError[] = []): string {
  const [line = '', ...log] = stripVTControlCharacters(error?.message ?? '')
    .split('\n')
    .map((text) => text.trim())
  const shown = log.find((text) => text.startsWith('Shown at '))
  const last = log.findLast((text) => text.startsWith('- ')) ?? log.find((text) => text !== shown)
  const at = error?.stacks?.[0]
  const parts = [line.slice(0, MAX_ERROR_LENGTH), last?.slice(0, MAX_ERROR_LENGTH), at && `${path.basename(at.file)}:${at.line}`, shown]
  return line && `: ${parts.filter(Boolean).join(' ')}`
}
