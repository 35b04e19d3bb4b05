import { expect, it } from 'vitest'
import { countResults, type Results } from './counts.mjs'

const good: Results = {
  numPassedTests: 5,
  numFailedTests: 0,
  numPendingTests: 1,
  numTodoTests: 1,
  testResults: [{ status: 'passed', assertionResults: [{ status: 'passed' }] }],
}
const failing = { status: 'failed', assertionResults: [{ status: 'failed' }] }
const unloadable = { status: 'failed', assertionResults: [] }

const cases: [string, Results | null, number, { passed: number; failed: number; skipped: number }][] = [
  ['a good run', good, 0, { passed: 5, failed: 0, skipped: 2 }],
  ['a failed test', { ...good, numFailedTests: 1, testResults: [failing] }, 1, { passed: 5, failed: 1, skipped: 2 }],
  ['a file that did not load', { ...good, testResults: [unloadable] }, 1, { passed: 5, failed: 1, skipped: 2 }],
  ['both', { ...good, numFailedTests: 1, testResults: [failing, unloadable] }, 1, { passed: 5, failed: 2, skipped: 2 }],
  ['an error outside every test', good, 1, { passed: 5, failed: 1, skipped: 2 }],
  ['a run that broke off', null, 137, { passed: 0, failed: 1, skipped: 0 }],
  ['a run without a report', null, 0, { passed: 0, failed: 1, skipped: 0 }],
  ['a run of nothing', { ...good, numPassedTests: 0 }, 0, { passed: 0, failed: 1, skipped: 2 }],
]
it.each(cases)('counts %s', (_what, results, exitCode, expected) => {
  expect(countResults(results, exitCode)).toEqual(expected)
})
