// Makes a release from the newest section of CHANGELOG.md: version, stored SQL, commit, tag, notes and, where Docker is, the container.
// node scripts/release.ts          says what it would do
// node scripts/release.ts --yes    does it; nothing is pushed
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { isHigher, newestSection, VERSION, withDate } from './release/changelog.ts'

const root = process.cwd()
const inRoot = (file: string) => path.join(root, file)

/** What the migrations of the next release are tested with. */
const STATEMENTS = 'test/fixtures/previous-statements.json.gz'

class ReleaseError extends Error {}

interface Release {
  version: string
  tag: string
  date: string
  notes: string
}

try {
  const { values } = parseArgs({ options: { yes: { type: 'boolean', default: false } } })
  const release = check()
  if (values.yes) make(release)
  else
    print(
      `Would release ${release.version} of ${release.date}, tag ${release.tag}, with these notes:\n\n${release.notes}\n\nDo it with --yes.`,
    )
} catch (error) {
  if (!(error instanceof ReleaseError) && !(error instanceof TypeError)) throw error
  console.error(error.message)
  process.exitCode = 1
}

/** Everything that must hold before anything is changed. */
function check(): Release {
  if (git('status', '--porcelain') !== '') throw new ReleaseError('The tree is not clean: commit or remove the changes first.')
  const branch = git('rev-parse', '--abbrev-ref', 'HEAD')
  if (branch !== 'main') throw new ReleaseError(`Releases are made on main, not on ${branch}.`)
  const section = newestSection(readFileSync(inRoot('CHANGELOG.md'), 'utf8'))
  if (!section || !VERSION.test(section.version)) throw new ReleaseError('CHANGELOG.md does not begin with "## 1.2.3 - unreleased".')
  const { version, notes } = section
  if (section.date !== 'unreleased') throw new ReleaseError(`CHANGELOG.md has no unreleased section: ${version} is of ${section.date}.`)
  if (!/^- /m.test(notes)) throw new ReleaseError(`CHANGELOG.md says nothing about ${version}.`)
  const tags = git('tag', '--list', 'v*')
    .split('\n')
    .map((tag) => tag.slice(1))
    .filter((tag) => VERSION.test(tag))
  const newer = tags.find((tag) => !isHigher(version, tag))
  if (newer !== undefined) throw new ReleaseError(`${version} is not higher than the tag v${newer}.`)
  return { version, tag: `v${version}`, date: new Date().toISOString().slice(0, 10), notes }
}

function make({ version, tag, date, notes }: Release): void {
  try {
    writeRelease(version, date)
    git('commit', '--quiet', '--message', `release: ${version}`)
  } catch (error) {
    // The tree was clean: the next attempt finds it so.
    git('reset', '--quiet', '--hard')
    throw error
  }
  git('tag', '--annotate', tag, '--cleanup=verbatim', '--message', `Khamar ${version}\n\n${notes}`)
  mkdirSync(inRoot('.cache'), { recursive: true })
  writeFileSync(inRoot('.cache/release-notes.md'), `${notes}\n`)
  print(`Tagged ${tag}; the notes are in .cache/release-notes.md. Publish with: git push origin main ${tag}`)
  buildContainer(version)
}

/** Writes and stages what the commit of the release changes. */
function writeRelease(version: string, date: string): void {
  const changelog = inRoot('CHANGELOG.md')
  writeFileSync(changelog, withDate(readFileSync(changelog, 'utf8'), version, date))
  for (const file of ['package.json', 'package-lock.json']) setVersion(inRoot(file), version)
  storeStatements(version)
  git('add', 'CHANGELOG.md', 'package.json', 'package-lock.json', STATEMENTS)
}

/** Both files hold the version of the project at their top level; the lockfile once more for the root package. */
function setVersion(file: string, version: string): void {
  const json = JSON.parse(readFileSync(file, 'utf8')) as { version: string; packages?: Record<string, { version?: string }> }
  json.version = version
  if (json.packages?.['']) json.packages[''].version = version
  writeFileSync(file, `${JSON.stringify(json, null, 2)}\n`)
}

function storeStatements(version: string): void {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/store-statements.ts', version], { cwd: root, encoding: 'utf8' })
  if (status !== 0) throw new ReleaseError(`The SQL of ${version} could not be stored: ${stderr.trim()}`)
}

function buildContainer(version: string): void {
  if (spawnSync('docker', ['info']).status !== 0) return print('There is no Docker here: the container is not built.')
  const { status } = spawnSync('docker', ['build', '--tag', `khamar:${version}`, '--tag', 'khamar:latest', '.'], {
    cwd: root,
    stdio: 'inherit',
  })
  if (status !== 0) throw new ReleaseError('The container could not be built. The tag stays.')
}

function git(...args: string[]): string {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  if (status !== 0) throw new ReleaseError(`git ${args[0]} failed: ${stderr.trim()}`)
  return stdout.trim()
}

function print(text: string): void {
  console.log(text)
}
