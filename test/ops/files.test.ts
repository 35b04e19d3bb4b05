import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = path.resolve(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8')
/** Tools that a newcomer's machine may lack: their tests are skipped and say so by their names. */
const has = (program: string, args: string[] = ['--version']) => spawnSync(program, args).error === undefined

function run(program: string, args: string[], env: Record<string, string> = {}) {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: ROOT, encoding: 'utf8', env: { ...process.env, ...env } })
  return { status, output: stdout + stderr }
}

it('the Dockerfile has no finding', () => {
  const { status, output } = run(process.execPath, ['node_modules/dockerfilelint/bin/dockerfilelint', 'Dockerfile'])
  expect(output).toContain('Issues: None found')
  expect(status).toBe(0)
})

it('the image runs as a user of its own, with a health check', () => {
  const last = read('Dockerfile')
    .split(/^FROM /m)
    .at(-1)!
  expect(last).toMatch(/^USER node$/m)
  expect(last).toMatch(/^HEALTHCHECK .*health-check\.mjs$/m)
  expect(last.indexOf('USER node')).toBeGreaterThan(last.lastIndexOf('COPY'))
})

it('what the Dockerfile copies passes .dockerignore', () => {
  const allowed = read('.dockerignore')
    .split('\n')
    .filter((line) => line.startsWith('!'))
    .map((line) => line.slice(1))
  // The folders of the server folder, the build's sources and the files that the Dockerfile names.
  const sources = /const SOURCES = \[(.*)\]/.exec(read('scripts/tasks/server-folder.mjs'))![1]!.match(/\w+/g)!
  const needed = [
    ...sources,
    'scripts',
    'public',
    'package.json',
    'package-lock.json',
    '.npmrc',
    'vite.config.ts',
    'tsconfig.json',
    'LICENSE',
  ]
  expect(needed.filter((name) => !allowed.includes(name))).toEqual([])
})

it('every setting that compose asks for stands in example.env', () => {
  const asked = new Set([...read('ops/compose.yaml').matchAll(/\$\{(\w+)/g)].map(([, name]) => name!))
  asked.delete('KHAMAR_VERSION')
  const given = [...read('ops/example.env').matchAll(/^(\w+)=/gm)].map(([, name]) => name!)
  expect([...asked].toSorted()).toEqual(given.toSorted())
})

describe.skipIf(!has('docker') || run('docker', ['compose', 'version']).status !== 0)('with docker compose', () => {
  it('compose.yaml is valid', () => {
    const { status, output } = run('docker', ['compose', '-f', 'ops/compose.yaml', '--profile', 'backup', 'config', '--quiet'], {
      DOMAIN: 'khamar.example',
      POSTGRES_PASSWORD: 'x',
      SESSION_SECRET: 'x'.repeat(32),
    })
    expect([status, output]).toEqual([0, ''])
  })
})

describe.skipIf(!has('caddy', ['version']))('with caddy', () => {
  it('the Caddyfile is valid', () => {
    const env = { DOMAIN: 'localhost', SHOPS: '127.0.0.1:3001 127.0.0.1:3002' }
    expect(run('caddy', ['validate', '--config', 'ops/Caddyfile', '--adapter', 'caddyfile'], env).output).toContain('Valid configuration')
  })
})

describe.skipIf(!has('systemd-analyze'))('with systemd-analyze', () => {
  it('the units are valid', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'khamar-units-'))
    try {
      const units = readdirSync(path.join(ROOT, 'ops')).filter((name) => /\.(service|timer)$/.test(name))
      for (const name of units) cpSync(path.join(ROOT, 'ops', name), path.join(folder, name))
      const { output } = run('systemd-analyze', ['verify', ...units.map((name) => path.join(folder, name.replace('@', '@3001')))])
      // The programs of the units need not be on this machine.
      const findings = output
        .split('\n')
        .filter((line) => line.includes('khamar') && !/is not executable|Failed to (?:locate|create)/.test(line))
      expect(findings).toEqual([])
      expect(units.length).toBe(4)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
