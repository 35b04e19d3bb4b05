// Fails when a file that .oxlintrc.json exempts from a limit of size is within it, or does not exist.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'

const root = path.resolve(import.meta.dirname, '..')
const folder = mkdtempSync(path.join(tmpdir(), 'khamar-lint-'))
afterAll(() => rmSync(folder, { recursive: true }))

interface Override {
  files: string[]
  rules: Record<string, unknown>
}

const config = JSON.parse(readFileSync(path.join(root, '.oxlintrc.json'), 'utf8').replaceAll(/^\s*\/\/.*$/gm, '')) as {
  overrides: Override[]
}
const isNamed = (override: Override) => override.files.every((file) => !file.includes('*'))
const exemptions = config.overrides
  .filter(isNamed)
  .flatMap(({ files, rules }) => files.map((file) => ({ file, rules: Object.keys(rules) })))

/** `file rule` of each problem that oxlint finds in the exempted files without their exemptions. */
function problems(): Set<string> {
  const strict = path.join(folder, 'strict.json')
  writeFileSync(strict, JSON.stringify({ ...config, overrides: config.overrides.filter((override) => !isNamed(override)) }))
  const files = exemptions.map(({ file }) => file).filter((file) => existsSync(path.join(root, file)))
  const { stdout } = spawnSync(path.join(root, 'node_modules/.bin/oxlint'), ['-c', strict, '--format', 'unix', ...new Set(files)], {
    cwd: root,
    encoding: 'utf8',
  })
  const lines = stdout.matchAll(/^(?:.*\/)?([^:\n]+):\d+:\d+: .*\/(?:eslint\()?([\w-]+)\)?\]$/gm)
  return new Set(Array.from(lines, ([, file, rule]) => `${path.basename(file!)} ${rule}`))
}

it('every exempted file exceeds the limit', { timeout: 60_000 }, () => {
  const found = problems()
  expect(found.size).toBeGreaterThan(10)
  const stale = exemptions.flatMap(({ file, rules }) =>
    rules.filter((rule) => !found.has(`${path.basename(file)} ${rule}`)).map((rule) => `${file} ${rule}`),
  )
  expect(stale).toEqual([])
})
