import { printLine } from '../setup/process.mjs'
import { runScript, runTool } from './script.mjs'
import { test } from './test.mjs'

const STEPS = [
  ['format', (node) => runTool(node, 'oxfmt', ['--check', '.'])],
  ['lint', (node) => runTool(node, 'oxlint', ['--report-unused-disable-directives-severity=error'])],
  ['types', (node) => runTool(node, 'tsc', ['--noEmit', '-p', '.'])],
  ['dependencies', (node) => runScript(node, 'scripts/check-dependencies.ts', [])],
  ['migrations', (node) => runScript(node, 'scripts/check-migrations.ts', [])],
  ['language', (node) => runScript(node, 'scripts/check-language.ts', [])],
  ['dead code', (node) => runTool(node, 'knip', ['--no-progress'])],
  // Without the tests: an export that only they use is dead, too.
  ['dead code in production', (node) => runTool(node, 'knip', ['--no-progress', '--production', '--config', 'knip.production.json'])],
]

/** Tests of texts, links and SQL statements: they take seconds and find what the steps do not. */
const QUICK_TESTS = ['messages/glossary', 'messages/messages', 'scripts/doc-links', 'scripts/check-sql']

/** Everything that must hold before work is shared; `npm run check -- --quick` leaves most tests out. */
export async function check(node, args = []) {
  const failed = []
  for (const [name, step] of STEPS) {
    printLine(`— ${name}`)
    if ((await step(node)) !== 0) failed.push(name)
  }
  const isQuick = args.includes('--quick')
  const tests = isQuick ? await runTool(node, 'vitest', ['run', ...QUICK_TESTS]) : await test(node, [], { checksTypes: false })
  if (failed.length > 0) printLine(`Not in order: ${failed.join(', ')}.`)
  return failed.length > 0 || tests !== 0 ? 1 : 0
}
