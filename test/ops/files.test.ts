import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { testDb } from '#test/db.ts'

const { pool, url } = await testDb({ max: 1 })
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

it('the workflow builds the image, and tries its steps without Docker', () => {
  const workflow = read('.github/workflows/ci.yml')
  const scripts = [...workflow.matchAll(/^ {6}- run: (?:node )?(\S+\.ts|\.ci\/run)$/gm)].map(([, script]) => script!)
  expect(scripts).toEqual(['.ci/run', 'scripts/try-dockerfile.ts'])
  for (const script of scripts) expect(existsSync(path.join(ROOT, script))).toBe(true)
  expect(workflow).toMatch(/^ {6}- run: docker build /m)
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

/** Files whose schemas are the settings of the shop. */
const SETTINGS = [
  'lib/runtime/env.server.ts',
  'lib/runtime/storage-settings.server.ts',
  'lib/runtime/observability-settings.server.ts',
  'features/messaging/configure.server.ts',
  'features/email/configure.server.ts',
  'features/payments/configure.server.ts',
  'features/analytics/meta-gateway.server.ts',
]
const settings = [...new Set(SETTINGS.flatMap((file) => [...read(file).matchAll(/^ {2}([A-Z][A-Z0-9_]+):/gm)].map(([, name]) => name!)))]

describe('compose.yaml and example.env', () => {
  const compose = read('ops/compose.yaml')
  const asked = new Set([...compose.matchAll(/\$\{(\w+)/g)].map(([, name]) => name!))
  const offered = [...read('ops/example.env').matchAll(/^#?(\w+)=/gm)].map(([, name]) => name!)
  const shop = compose.slice(compose.indexOf('x-shop:'), compose.indexOf('\nservices:'))
  const fixed = [...shop.matchAll(/^ {4}([A-Z_]+):/gm), ...read('Dockerfile').matchAll(/([A-Z_]+)=/g)].map(([, name]) => name!)
  /** For measuring, and for a demo, which production refuses. */
  const NOT_NEEDED = ['DEMO', 'RATE_LIMIT']

  it('reach every setting of the shop', () => {
    expect(settings.length).toBeGreaterThan(40)
    expect(settings.filter((name) => ![...offered, ...fixed, ...NOT_NEEDED].includes(name))).toEqual([])
    expect(shop).toMatch(/^ {2}env_file:\n {4}- path: \.env$/m)
    expect([...compose.matchAll(/<<: \*shop$/gm)].length).toBe(3)
  })

  it('offer nothing that compose or the image decides, and nothing unknown', () => {
    const known = new Set([...settings, ...asked, 'OTEL_SERVICE_NAME'])
    expect(offered.filter((name) => !known.has(name))).toEqual([])
    expect([...asked].filter((name) => !offered.includes(name))).toEqual([])
    expect(offered.filter((name) => fixed.includes(name) && !asked.has(name))).toEqual([])
  })
})

it('docs/operations.md says what to do at every alert', () => {
  const alerts = [...read('ops/prometheus/alerts.yml').matchAll(/- alert: (\w+)/g)].map(([, name]) => name!)
  const section = read('docs/operations.md').split('\n## When an alert fires\n')[1]!.split('\n## ')[0]!
  const explained = [...section.matchAll(/`(Khamar\w+)`/g)].map(([, name]) => name!)
  expect(explained.toSorted()).toEqual(alerts.toSorted())
})

it('docs/operations.md gives PostgreSQL settings that exist', async () => {
  const block = /```ini\n(# PostgreSQL[\s\S]*?)```/.exec(read('docs/operations.md'))![1]!
  const names = [...block.matchAll(/^(\w+) = /gm)].map(([, name]) => name!)
  expect(names.length).toBeGreaterThan(8)
  const { rows } = await pool.query<{ name: string }>('select name from pg_settings where name = any ($1)', [names])
  expect(rows.map(({ name }) => name).toSorted()).toEqual(names.toSorted())
})

it('Caddy and nginx show the same page while no process answers, in both languages', () => {
  const pages = [/respond @down "([^"]+)" 503/.exec(read('ops/Caddyfile')), /return 503 "([^"]+)"/.exec(read('ops/nginx.conf'))]
  expect(pages[0]![1]).toBe(pages[1]![1])
  for (const lang of ['bn', 'en']) expect(pages[0]![1]).toContain(`lang='${lang}'`)
})

it('backups of the units and of compose go where the retention applies, as the nightly ones', () => {
  const units = ['khamar.service', 'khamar@.service', 'khamar-backup.service'].map((name) => read(`ops/${name}`))
  for (const unit of units) {
    expect(unit).toMatch(/^Environment=.* BACKUP_TO=\/var\/backups\/khamar( |$)/m)
    expect(unit).toMatch(/^ReadWritePaths=-\/var\/backups\/khamar$/m)
  }
  expect(units[2]).toMatch(/^ExecStart=.* scripts\/shop\.ts backup --verify$/m)
  const compose = read('ops/compose.yaml')
  expect(compose).toMatch(/^ {4}command: \[node, .*, scripts\/shop\.ts, backup\]$/m)
  expect(compose).toMatch(/^ {4}BACKUP_TO: \$\{BACKUP_TO:-\/backup\}$/m)
})

describe.skipIf(process.getuid?.() !== 0 || !has('runuser'))('as root', () => {
  it('khamar-shop runs a command with the settings of the units', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'khamar-settings-'))
    try {
      const settings = [`SESSION_SECRET=${'x'.repeat(32)}`, `DATABASE_URL='${url}'`, "EMAIL_FROM='Shop <orders@shop.example>'"]
      const script = path.join(folder, 'khamar-shop')
      const asWritten = read('ops/khamar-shop')
        .replace('/etc/khamar.env', path.join(folder, 'khamar.env'))
        .replace('/var/lib/khamar', path.join(folder, 'data'))
        .replace('cd /srv/khamar', `cd ${ROOT}`)
        .replace('--user khamar -- node', `--user root -- ${process.execPath}`)
      writeFileSync(script, asWritten)
      writeFileSync(path.join(folder, 'khamar.env'), settings.join('\n'))
      expect(run('sh', [script, 'check'])).toMatchObject({
        status: 1,
        output: expect.stringContaining('PUBLIC_URL is needed in production'),
      })
      // Without quotes, as the units accept it: the shell must not read the & of a URL as its own.
      const unquoted = `DATABASE_URL=${url}${url.includes('?') ? '&' : '?'}application_name=check&connect_timeout=9`
      const [secret, , sender] = settings
      writeFileSync(
        path.join(folder, 'khamar.env'),
        ['# A comment', '', secret, unquoted, sender, 'PUBLIC_URL=https://khamar.example'].join('\n'),
      )
      // The command names a file of no picture, and with it the folder of the uploads.
      const unnamed = `${'a'.repeat(32)}-160.webp`
      const [uploads, others] = ['data/uploads', 'other/uploads'].map((place) => path.join(folder, place)) as [string, string]
      for (const place of [uploads, others]) {
        mkdirSync(place, { recursive: true })
        writeFileSync(path.join(place, unnamed), 'a cow')
      }
      const checked = (place: string) => ({
        status: 0,
        output: expect.stringMatching(new RegExp(`^\\d+ rules checked, all hold\\.\nFiles in ${place} of .*: ${unnamed}\n$`)),
      })
      expect(run('sh', [script, 'check'])).toEqual(checked(uploads))
      const dataDir = `DATA_DIR=${path.dirname(others)}`
      writeFileSync(path.join(folder, 'khamar.env'), [...settings, 'PUBLIC_URL=https://khamar.example', dataDir].join('\n'))
      expect(run('sh', [script, 'check']), 'the DATA_DIR of the settings wins, as in the units').toEqual(checked(others))
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})

it('the units permit HOST=0.0.0.0, whose addresses Node asks the kernel for over netlink', () => {
  for (const name of ['khamar.service', 'khamar@.service'])
    expect(read(`ops/${name}`)).toMatch(/^RestrictAddressFamilies=.*\bAF_INET\b.*\bAF_NETLINK\b/m)
})

it('systemd sends SIGTERM to the shop alone, not to its embedded database', () => {
  expect(read('ops/khamar.service')).toMatch(/^KillMode=mixed$/m)
})

it('Caddy leaves a process alone that did not answer', () => {
  expect(read('ops/Caddyfile')).toMatch(/^\t\tfail_duration 3s$/m)
  expect(read('ops/Caddyfile')).toMatch(/^\t\thealth_interval 1s$/m)
})

it('two processes of systemd have settings of their own, as the port of their metrics', () => {
  expect(read('ops/khamar@.service')).toMatch(/^EnvironmentFile=\/etc\/khamar\.env\n(#.*\n)?EnvironmentFile=-\/etc\/khamar-%i\.env$/m)
})

describe.skipIf(!has('promtool'))('with promtool', () => {
  it('the configuration of Prometheus is valid, and the alerts fire when they should', () => {
    expect(run('promtool', ['check', 'config', 'ops/prometheus/prometheus.yml'])).toMatchObject({ status: 0 })
    expect(run('promtool', ['test', 'rules', 'ops/prometheus/alerts.test.yml'])).toMatchObject({ status: 0 })
  })
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

describe.skipIf(!has('nginx', ['-v']))('with nginx', () => {
  it('nginx.conf is valid', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'khamar-nginx-'))
    try {
      const name = path.join(folder, 'certificate')
      const subject = ['-subj', '/CN=khamar.example', '-days', '1', '-nodes', '-newkey', 'rsa:2048']
      expect(run('openssl', ['req', '-x509', ...subject, '-keyout', `${name}.key`, '-out', `${name}.pem`]).status).toBe(0)
      const site = read('ops/nginx.conf')
        .replace(/ssl_certificate .*;/, `ssl_certificate ${name}.pem;`)
        .replace(/ssl_certificate_key .*;/, `ssl_certificate_key ${name}.key;`)
      const file = path.join(folder, 'nginx.conf')
      writeFileSync(file, `pid ${folder}/pid;\nerror_log stderr;\nevents {}\nhttp {\n${site}\n}\n`)
      const { status, output } = run('nginx', ['-t', '-c', file, '-p', folder])
      expect(output).toContain('syntax is ok')
      expect([status, output]).toEqual([0, output])
      // Newer releases prefer another spelling of HTTP/2, which Debian 12 and Ubuntu 24.04 do not know.
      expect(output).not.toMatch(/\[warn\](?!.*"listen \.\.\. http2" directive is deprecated)/)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
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
