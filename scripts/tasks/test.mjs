import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { ensurePages } from '../setup/pages.mjs'
import { environment, root, printLine } from '../setup/process.mjs'
import { ensureChromium } from './chromium.mjs'
import { countResults } from './counts.mjs'
import { runTool } from './script.mjs'

const resultsFile = path.join(root, '.cache/test-results.json')

/**
 * Types, build and every test; ends with one line that counts them. With arguments, only the tests they select:
 * `npm test -- lib/format/money.test.ts`. Without `checksTypes` the caller has checked the types.
 */
export async function test(node, args = [], { checksTypes = true } = {}) {
  const failedSteps = args.length > 0 ? [] : await steps(node, checksTypes)
  const counts = await vitest(node, args)
  const failed = counts.failed + failedSteps.length
  for (const step of failedSteps) printLine(step)
  const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : ''
  printLine(`${counts.passed} passed, ${failed} failed${skipped}`)
  return failed === 0 ? 0 : 1
}

/** What must hold beside the tests; says what does not. */
async function steps(node, checksTypes) {
  const failed = []
  if (checksTypes && (await runTool(node, 'tsc', ['--noEmit', '-p', '.'])) !== 0) failed.push('The type check failed (see above).')
  try {
    await ensurePages(node)
  } catch (error) {
    failed.push(error.message)
  }
  return failed
}

async function vitest(node, args) {
  let browser = ''
  let problem
  try {
    browser = await ensureChromium()
  } catch (error) {
    problem = error.message
  }
  // Without a browser everything else is still worth running.
  const selection = problem ? ['--project', '!e2e*'] : []
  mkdirSync(path.dirname(resultsFile), { recursive: true })
  rmSync(resultsFile, { force: true })
  const reporters = ['--reporter=default', '--reporter=./test/closing-reporter.ts', '--reporter=json', `--outputFile.json=${resultsFile}`]
  const code = await runTool(node, 'vitest', ['run', ...reporters, ...selection, ...args], {
    env: environment(node, { CHROME_PATH: browser, TZ: process.env.TZ || 'UTC' }),
  })
  const counts = countResults(readResults(), code)
  if (!problem) return counts
  printLine(problem)
  return { ...counts, failed: counts.failed + 1 }
}

function readResults() {
  try {
    return JSON.parse(readFileSync(resultsFile, 'utf8'))
  } catch {
    return null
  }
}
