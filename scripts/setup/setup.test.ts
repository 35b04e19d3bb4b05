import { spawn, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'

// Concurrent starts of one folder. The folder is a copy of the set-up with an npm and a build of its own, which fail when two of
// them run at the same time.

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

const NAME = `node-${process.platform}-${process.arch}`

/** Works alone or not at all, and writes down that it has worked. */
const ALONE = `
import { appendFileSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
const root = process.env.ROOT
async function alone(work) {
  writeFileSync(path.join(root, 'working'), String(process.pid), { flag: 'wx' })
  await sleep(Number(process.env.TAKES_MS ?? 600))
  work()
  rmSync(path.join(root, 'working'))
  appendFileSync(path.join(root, 'done.log'), '.')
}`

const BUILD = `${ALONE}
const dir = process.env.PAGES_DIR
await alone(() => {
  mkdirSync(path.join(dir, 'client/assets'), { recursive: true })
  writeFileSync(path.join(dir, 'client/assets/new.js'), 'new')
  writeFileSync(path.join(dir, 'client/index.txt'), 'new')
})`

const NPM = `${ALONE}
await alone(() => {
  const bin = path.join(process.cwd(), 'node_modules/${NAME}/bin')
  mkdirSync(bin, { recursive: true })
  symlinkSync(process.execPath, path.join(bin, 'node'))
  writeFileSync(path.join(process.cwd(), 'node_modules/.package-lock.json'), '{"packages":{}}')
})`

function newFolder(): string {
  const root = mkdtempSync(path.join(tmpdir(), 'khamar-setup-'))
  folders.push(root)
  cpSync(import.meta.dirname, path.join(root, 'scripts/setup'), { recursive: true, filter: (file) => !file.endsWith('.test.ts') })
  writeFileSync(path.join(root, 'scripts/build-pages.ts'), BUILD)
  writeFileSync(path.join(root, 'package-lock.json'), '{"packages":{}}')
  mkdirSync(path.join(root, 'npm'))
  writeFileSync(path.join(root, 'npm/npm-cli.js'), NPM)
  writeFileSync(path.join(root, 'npm/package.json'), '{"type":"module"}')
  return root
}

const STEPS = {
  node: `Object.defineProperty(process, 'version', { value: 'v20.0.0' }); await (await load('node')).ensureNode()`,
  packages: `await (await load('packages')).ensurePackages(process.execPath)`,
  pages: `await (await load('pages')).ensurePages(process.execPath)`,
  pagesTwice: `const { ensurePages } = await load('pages'); await Promise.all([1, 2].map(() => ensurePages(process.execPath)))`,
}

/** One step of a start in a process of its own, which ends as scripts/run.mjs does. */
function begin(root: string, step: keyof typeof STEPS, env: Record<string, string> = {}) {
  const program = `
    const load = (name) => import(process.env.ROOT + '/scripts/setup/' + name + '.mjs')
    try { ${STEPS[step]} } catch (error) { console.log(error.message); process.exit(1) }`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    cwd: root,
    env: { PATH: process.env.PATH, ROOT: root, npm_execpath: path.join(root, 'npm/npm-cli.js'), ...env },
  })
  let said = ''
  child.stdout.on('data', (chunk) => (said += chunk))
  child.stderr.on('data', (chunk) => (said += chunk))
  const ended = new Promise<{ code: number | null; said: string }>((resolve) => child.once('close', (code) => resolve({ code, said })))
  return { child, ended }
}

const done = (root: string) => readFileSync(path.join(root, 'done.log'), 'utf8').length
const lockOf = (root: string) => path.join(root, '.cache/setup.lock')

describe.each(['node', 'packages', 'pages'] as const)('three starts at once that lack the %s', (step) => {
  it('all succeed; one does the work, the others say that they wait', async () => {
    const root = newFolder()
    const ends = await Promise.all([1, 2, 3].map(() => begin(root, step, { TAKES_MS: '1500' }).ended))
    expect(ends.map(({ code, said }) => [code, said.includes('throw')])).toEqual([1, 2, 3].map(() => [0, false]))
    expect(done(root)).toBe(1)
    expect(ends.filter(({ said }) => /^Another start is setting up \(process \d+\); waiting for it…$/m.test(said))).toHaveLength(2)
    expect(existsSync(lockOf(root))).toBe(false)
  })
})

it('one process that builds the pages twice at once does it once', async () => {
  const root = newFolder()
  const { code } = await begin(root, 'pagesTwice', { TAKES_MS: '1500' }).ended
  expect([code, done(root), existsSync(lockOf(root))]).toEqual([0, 1, false])
})

describe('a lock that was left behind', () => {
  const leave = (root: string, holder: object) => {
    mkdirSync(path.dirname(lockOf(root)), { recursive: true })
    writeFileSync(lockOf(root), JSON.stringify(holder))
  }

  it('of a process that has ended is taken over at once, by one of three', async () => {
    const root = newFolder()
    const { pid } = spawnSync(process.execPath, ['--version'])
    leave(root, { pid, host: hostname(), id: 'old' })
    const ends = await Promise.all([1, 2, 3].map(() => begin(root, 'pages').ended))
    expect(ends.map(({ code }) => code)).toEqual([0, 0, 0])
    expect(done(root)).toBe(1)
  })

  it('of a start that was killed is taken over by the next', async () => {
    const root = newFolder()
    const killed = begin(root, 'pages', { TAKES_MS: '60000' })
    const working = path.join(root, 'working')
    await expect.poll(() => existsSync(working) && readFileSync(working, 'utf8')).toMatch(/^\d+$/)
    killed.child.kill('SIGTERM')
    expect((await killed.ended).code).toBe(1)
    // The build ended with the start, so it does not write while the next one runs.
    const build = Number(readFileSync(working, 'utf8'))
    expect(() => process.kill(build, 0)).toThrow('ESRCH')
    rmSync(working)
    expect(await begin(root, 'pages').ended).toEqual({ code: 0, said: 'Building the pages…\n' })
  })

  it('of another machine is taken over when it is not renewed', { timeout: 40_000 }, async () => {
    const root = newFolder()
    leave(root, { pid: process.pid, host: 'elsewhere', id: 'old' })
    const { code, said } = await begin(root, 'pages').ended
    expect([code, said]).toEqual([0, `Another start is setting up (process ${process.pid}); waiting for it…\nBuilding the pages…\n`])
  })

  it('of a living process is waited for', async () => {
    const root = newFolder()
    leave(root, { pid: process.pid, host: hostname(), id: 'held' })
    const waiting = begin(root, 'pages')
    await sleep(2_000)
    expect(existsSync(path.join(root, 'working'))).toBe(false)
    rmSync(lockOf(root))
    expect((await waiting.ended).code).toBe(0)
  })
})

describe('a build beside a running shop', () => {
  it('never takes a file away that the shop serves, replaces the rest, and drops what is old', async () => {
    const root = newFolder()
    const assets = path.join(root, 'dist/client/assets')
    mkdirSync(assets, { recursive: true })
    for (const name of ['served.js', 'ancient.js']) writeFileSync(path.join(assets, name), 'old')
    for (const name of ['index.txt', 'gone.txt']) writeFileSync(path.join(root, 'dist/client', name), 'old')
    const longAgo = new Date(Date.now() - 40 * 86_400_000)
    utimesSync(path.join(assets, 'ancient.js'), longAgo, longAgo)
    let isOver = false
    const building = begin(root, 'pages').ended.finally(() => (isOver = true))
    const missing: string[] = []
    while (!isOver) {
      for (const file of ['client/assets/served.js', 'client/index.txt']) if (!existsSync(path.join(root, 'dist', file))) missing.push(file)
      await sleep(0)
    }
    expect((await building).code).toBe(0)
    expect(missing).toEqual([])
    expect(readdirSync(assets).toSorted()).toEqual(['new.js', 'served.js'])
    expect(readdirSync(path.join(root, 'dist/client')).toSorted()).toEqual(['assets', 'index.txt'])
    expect(readFileSync(path.join(root, 'dist/client/index.txt'), 'utf8')).toBe('new')
    expect(readdirSync(path.join(root, '.cache'))).toEqual([])
  })

  it('follows a change of a source of the pages, and of a script that builds them', async () => {
    const root = newFolder()
    for (const file of ['vite.config.ts', 'scripts/purge-css.ts']) {
      writeFileSync(path.join(root, file), '// changed')
      expect((await begin(root, 'pages').ended).said).toBe('Building the pages…\n')
      expect((await begin(root, 'pages').ended).said).toBe('')
    }
  })

  it('that fails leaves the old one as it is', async () => {
    const root = newFolder()
    mkdirSync(path.join(root, 'dist/client/assets'), { recursive: true })
    writeFileSync(path.join(root, 'dist/client/assets/served.js'), 'old')
    writeFileSync(path.join(root, 'scripts/build-pages.ts'), `throw new Error('no such page')`)
    const { code, said } = await begin(root, 'pages').ended
    expect([code, said]).toEqual([1, expect.stringContaining('The pages could not be built:')])
    expect(readFileSync(path.join(root, 'dist/client/assets/served.js'), 'utf8')).toBe('old')
    expect(existsSync(lockOf(root))).toBe(false)
  })
})

describe('npm that fails is told in one line', () => {
  it.each([
    [
      'throws',
      `/usr/lib/node_modules/npm/lib/cli/validate-engines.js:25\n    throw err\n    ^\n\nError: Cannot find module 'x'\nRequire stack:\n    at Module._resolve (node:internal:1:2)\n\nNode.js v20.1.0`,
      `npm install failed: Cannot find module 'x'`,
    ],
    [
      'explains',
      'npm warn old lockfile\nnpm error code ENOTFOUND\nnpm error errno ENOTFOUND\nnpm error network request to https://registry.example failed\nnpm error A complete log of this run can be found in: /root',
      'npm install failed: network request to https://registry.example failed',
    ],
    ['explains as older ones do', 'npm ERR! code E404\nnpm ERR! 404 Not Found', 'npm install failed: 404 Not Found'],
    ['says nothing', '', 'npm install failed: it gave no reason'],
    ['shows only where', '/usr/lib/x.js:25\n    at y (/usr/lib/x.js:25:1)', 'npm install failed: it gave no reason'],
  ])('where it %s', async (_how, text, line) => {
    const root = newFolder()
    writeFileSync(path.join(root, 'npm/npm-cli.js'), `console.error(${JSON.stringify(text)}); process.exit(1)`)
    const { code, said } = await begin(root, 'packages').ended
    expect([code, said.trim().split('\n').at(-1), said.trim().split('\n').length]).toEqual([1, line, 2])
  })

  it('that was killed for its memory names the memory', async () => {
    const root = newFolder()
    writeFileSync(path.join(root, 'npm/npm-cli.js'), `process.kill(process.pid, 'SIGKILL')`)
    const { said } = await begin(root, 'packages').ended
    expect(said).toMatch(/npm install failed: The system ended it, as it does when the memory is full: the set-up needs 1 GB\.\n$/)
  })
})
