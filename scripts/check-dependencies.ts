// Checks imports by the rules of .dependency-cruiser.cjs, and that the check itself works: on a fixture every rule must fail, and in the
// project it must have visited all files.
import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import path from 'node:path'
import type { ICruiseResult } from 'dependency-cruiser'

const root = path.resolve(import.meta.dirname, '..')
const FOLDERS = ['lib', 'components', 'features', 'site', 'server', 'messages', 'page', 'dev', 'db', 'test', 'scripts', 'bench']
const FIXTURE = 'test/fixtures/dependencies'

// The fixture breaks one rule of its kind; the others of the kind are made in the same way.
const MUST_FAIL = [
  'no-circles',
  'nothing-missing',
  'no-tests-in-the-shop',
  'lib-knows-no-shop',
  'page-knows-no-shop',
  'components-know-no-shop',
  'features-know-no-page',
  'site-knows-no-server',
  'feature-catalog',
  'rules-are-pure',
  'rules-know-no-server-or-screen',
  'forms-know-no-database',
  'browser-knows-no-server',
  'database-through-lib',
]

const problems = [...projectProblems(), ...fixtureProblems()]
for (const problem of problems) console.error(problem)
process.exitCode = problems.length > 0 ? 1 : 0

function projectProblems(): string[] {
  const folders = FOLDERS.filter((folder) => globSync(`${folder}/`, { cwd: root }).length > 0)
  const { summary, modules } = cruise(root, folders)
  const visited = modules.filter(({ source }) => /\.tsx?$/.test(source) && FOLDERS.includes(source.split('/')[0] ?? '')).length
  const total = globSync(`{${folders.join(',')}}/**/*.{ts,tsx}`, { cwd: root }).filter((file) => !file.startsWith(FIXTURE)).length
  console.log(`${visited} of ${total} files visited, ${summary.totalDependenciesCruised} imports.`)
  const broken = summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`)
  return visited < total * 0.95 ? [...broken, 'The dependency check did not visit the files: its result has no meaning.'] : broken
}

function fixtureProblems(): string[] {
  const { summary } = cruise(path.join(root, FIXTURE), ['.'])
  const violated = new Set(summary.violations.map(({ rule }) => rule.name))
  return MUST_FAIL.filter((name) => !violated.has(name)).map((name) => `The rule ${name} did not fail on ${FIXTURE}.`)
}

function cruise(cwd: string, folders: string[]): ICruiseResult {
  const program = path.join(root, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs')
  const config = ['--config', path.join(root, '.dependency-cruiser.cjs'), '--ts-config', path.join(root, 'tsconfig.json')]
  const { stdout, stderr } = spawnSync(process.execPath, [program, ...config, '--output-type', 'json', ...folders], {
    cwd,
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
  })
  if (!stdout) throw new Error(`The dependency check did not run: ${stderr}`)
  return JSON.parse(stdout)
}
