import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { isHigher } from './release/changelog.ts'

const SCRIPT = path.resolve(import.meta.dirname, 'release.ts')
const CHANGELOG = `# Changelog

## 0.3.0 - unreleased

### Added

- Metrics.

## 0.2.0 - 2026-01-01

- Older.
`

/** Takes the place of the script, which reads the whole project. */
const STORE = `import { writeFileSync } from 'node:fs'
writeFileSync('test/fixtures/previous-statements.json.gz', 'SQL of ' + process.argv[2])
`

let repository: string
beforeEach(() => {
  repository = mkdtempSync(path.join(tmpdir(), 'khamar-release-'))
  git('init', '--quiet', '--initial-branch', 'main')
  write('package.json', JSON.stringify({ name: 'khamar', version: '0.2.0' }))
  write('package-lock.json', JSON.stringify({ name: 'khamar', version: '0.2.0', packages: { '': { version: '0.2.0' } } }))
  write('.gitignore', '.cache/\n')
  mkdirSync(path.join(repository, 'scripts'))
  mkdirSync(path.join(repository, 'test/fixtures'), { recursive: true })
  write('scripts/store-statements.ts', STORE)
  commit(CHANGELOG)
  git('tag', 'v0.2.0')
})
afterEach(() => rmSync(repository, { recursive: true, force: true }))

const environment = {
  ...process.env,
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@example.com',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@example.com',
}
const git = (...args: string[]) => spawnSync('git', args, { cwd: repository, encoding: 'utf8', env: environment }).stdout
const write = (file: string, text: string) => writeFileSync(path.join(repository, file), text)
const read = (file: string) => readFileSync(path.join(repository, file), 'utf8')
function commit(changelog: string): void {
  write('CHANGELOG.md', changelog)
  git('add', '.')
  git('commit', '--quiet', '--message', 'x')
}
function release(...args: string[]) {
  // Without Docker, whatever this machine has.
  const env = { ...environment, DOCKER_HOST: 'tcp://127.0.0.1:1' }
  const { status, stdout, stderr } = spawnSync(process.execPath, [SCRIPT, ...args], { cwd: repository, encoding: 'utf8', env })
  return { status, output: stdout + stderr }
}

it('says what it would do and changes nothing', () => {
  const { status, output } = release()
  expect([status, output]).toEqual([0, expect.stringMatching(/Would release 0\.3\.0 .*v0\.3\.0[^]*- Metrics\.[^]*--yes/)])
  expect(output).not.toContain('Older')
  expect([git('status', '--porcelain'), git('tag').trim()]).toEqual(['', 'v0.2.0'])
})

it('sets the version and the date, commits, and tags with the notes', () => {
  expect(release('--yes')).toMatchObject({ status: 0, output: expect.stringContaining('Tagged v0.3.0') })
  expect(git('status', '--porcelain')).toBe('')
  expect(git('log', '-1', '--format=%s').trim()).toBe('release: 0.3.0')
  expect(git('tag', '--list', 'v0.3.0', '--format=%(contents)')).toMatch(/^Khamar 0\.3\.0\n\n### Added\n\n- Metrics\./)
  expect(read('CHANGELOG.md')).toMatch(/^## 0\.3\.0 - \d{4}-\d\d-\d\d$/m)
  expect(JSON.parse(read('package.json'))).toMatchObject({ version: '0.3.0' })
  expect(JSON.parse(read('package-lock.json'))).toMatchObject({ version: '0.3.0', packages: { '': { version: '0.3.0' } } })
  expect(git('show', 'HEAD:test/fixtures/previous-statements.json.gz')).toBe('SQL of 0.3.0')
  expect(read('.cache/release-notes.md')).toBe('### Added\n\n- Metrics.\n')
  expect(release('--yes')).toMatchObject({ status: 1, output: expect.stringContaining('no unreleased section') })
})

it.each<[string, () => void, string]>([
  ['with uncommitted changes', () => write('package.json', '{}'), 'not clean'],
  ['with a new file', () => write('new.txt', ''), 'not clean'],
  ['on another branch', () => git('switch', '--quiet', '--create', 'other'), 'made on main'],
  ['with a version that is not higher', () => commit(CHANGELOG.replace('0.3.0', '0.1.9')), 'not higher than the tag v0.2.0'],
  ['with a tag that exists', () => git('tag', 'v0.3.0'), 'not higher than the tag v0.3.0'],
  ['with nothing to say', () => commit(CHANGELOG.replace('- Metrics.', '')), 'says nothing about 0.3.0'],
  ['with another heading', () => commit(CHANGELOG.replace('0.3.0', 'next')), 'does not begin with'],
  ['without a section', () => commit('# Changelog\n'), 'does not begin with'],
])('refuses %s', (_what, change, message) => {
  change()
  const before = git('log', '--format=%H') + git('tag')
  expect(release('--yes')).toMatchObject({ status: 1, output: expect.stringContaining(message) })
  expect(git('log', '--format=%H') + git('tag')).toBe(before)
})

it.each<[string, () => void, string]>([
  [
    'the SQL cannot be stored',
    () => write('scripts/store-statements.ts', "throw new Error('no SQL')\n"),
    'The SQL of 0.3.0 could not be stored',
  ],
  ['the commit is refused', () => git('config', 'user.useConfigOnly', 'true'), 'git commit failed'],
])('when %s, nothing is changed and the release can be tried again', (_what, prepare, message) => {
  prepare()
  git('commit', '--quiet', '--all', '--message', 'y')
  const before = git('log', '--format=%H') + git('tag')
  const nobody = { GIT_AUTHOR_NAME: '', GIT_AUTHOR_EMAIL: '', GIT_COMMITTER_NAME: '', GIT_COMMITTER_EMAIL: '' }
  const { status, stderr } = spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', SCRIPT, '--yes'], {
    cwd: repository,
    encoding: 'utf8',
    env: { ...environment, ...nobody },
  })
  expect([status, stderr]).toEqual([1, expect.stringContaining(message)])
  expect(git('log', '--format=%H') + git('tag')).toBe(before)
  expect(git('status', '--porcelain')).toBe('')
})

it('refuses an unknown option', () => {
  expect(release('--now').status).toBe(1)
})

it.each([
  ['0.2.10', '0.2.9', true],
  ['1.0.0', '0.9.9', true],
  ['0.2.0', '0.2.0', false],
  ['0.9.0', '1.0.0', false],
])('%s is higher than %s: %s', (version, other, expected) => expect(isHigher(version, other)).toBe(expected))
