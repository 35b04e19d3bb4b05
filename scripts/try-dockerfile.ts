// Runs the steps of the Dockerfile without Docker: each path of the image becomes one in a scratch folder. Needs the network for npm.
// node scripts/try-dockerfile.ts [--keep]    prints where the result is, and starts its command to see that it reads its settings
import { spawnSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '..')
const scratch = mkdtempSync(path.join(tmpdir(), 'khamar-image-'))
/** Folders of the image that steps name; with options such as --owner they are followed by a space or the end. */
const IMAGE_PATH = /(?<![\w.=:/])\/(src|build|app|data|tmp)(?=[/\s]|$)/g

interface Stage {
  dir: string
  workdir: string
  env: Record<string, string>
}

const stages = new Map<string, Stage>()
let stage: Stage = newStage('none')
let command: string[] = []

for (const [instruction, rest] of instructions(readFileSync(path.join(root, 'Dockerfile'), 'utf8'))) {
  console.log(`${instruction} ${rest}`)
  step(instruction, rest)
}
tryCommand()
if (!process.argv.includes('--keep')) rmSync(scratch, { recursive: true, force: true })
else console.log(scratch)

function step(instruction: string, rest: string): void {
  if (instruction === 'FROM') stage = newStage(/ AS (\w+)$/i.exec(rest)?.[1] ?? 'last')
  else if (instruction === 'WORKDIR') mkdirSync(inStage((stage.workdir = rest)), { recursive: true })
  else if (instruction === 'ENV') Object.assign(stage.env, Object.fromEntries(rest.split(' ').map((pair) => pair.split('='))))
  else if (instruction === 'COPY') copy(rest)
  else if (instruction === 'RUN') run(rest)
  else if (instruction === 'CMD') command = JSON.parse(rest) as string[]
}

function instructions(text: string): [string, string][] {
  const lines = text
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => /^[A-Z]/.test(line))
  return lines.map((line) => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)])
}

function newStage(name: string): Stage {
  const made = { dir: path.join(scratch, name), workdir: '/', env: {} }
  stages.set(name, made)
  mkdirSync(made.dir, { recursive: true })
  return made
}

function inStage(place: string, { dir, workdir } = stage): string {
  return path.join(dir, path.resolve(workdir, place))
}

function copy(rest: string): void {
  const from = /^--from=(\w+) /.exec(rest)?.[1]
  const places = rest.replace(/^--from=\w+ /, '').split(' ')
  const target = places.pop()!
  for (const place of places) {
    const sources = from ? [inStage(place, stages.get(from)!)] : place === '.' ? contextFiles() : [path.join(root, place)]
    for (const source of sources) {
      const isFolder = statSync(source).isDirectory() && place !== '.'
      const name = place === '.' ? path.relative(root, source) : path.basename(source)
      cpSync(source, isFolder ? inStage(target) : inStage(path.join(target, name)), { recursive: true, filter: isInContext })
    }
  }
}

/** What `.dockerignore` lets through. */
function contextFiles(): string[] {
  const lines = readFileSync(path.join(root, '.dockerignore'), 'utf8').split('\n')
  return lines
    .filter((line) => line.startsWith('!'))
    .flatMap((line) => globSync(line.slice(1), { cwd: root }).map((name) => path.join(root, name)))
}

function isInContext(source: string): boolean {
  return !/\.test\.tsx?$/.test(source) || !source.startsWith(root)
}

function run(text: string): void {
  const shell = text.replace(IMAGE_PATH, (place) => path.join(stage.dir, place)).replaceAll(/--(owner|group)=node /g, '')
  const { status } = spawnSync('sh', ['-ec', shell], { cwd: inStage('.'), stdio: 'inherit', env: { ...process.env, INIT_CWD: undefined } })
  if (status !== 0) throw new Error(`The step failed: ${text}`)
}

/** Without settings the shop must end with its own message: all of its modules were found. */
function tryCommand(): void {
  const [program = '', ...args] = command
  const env = { PATH: process.env.PATH, ...stage.env, DATA_DIR: inStage('/data'), NODE_COMPILE_CACHE: '' }
  const { stderr, stdout } = spawnSync(program, args, { cwd: inStage('.'), encoding: 'utf8', env, timeout: 60_000 })
  console.log(stdout + stderr)
  if (!stderr.includes('SESSION_SECRET is needed in production')) throw new Error('The image does not start.')
  console.log('Every step of the Dockerfile worked.')
}
