import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { publicSettings, readEnv } from './env.server.ts'
import { SettingsError } from './settings-error.ts'

const home = mkdtempSync(path.join(tmpdir(), 'khamar-env-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))
beforeEach(() => rmSync(path.join(home, 'data'), { recursive: true, force: true }))

const DATA_DIR = path.join(home, 'data')
const SECRET = 'a-secret-of-more-than-32-characters'
const PRODUCTION = { NODE_ENV: 'production', SESSION_SECRET: SECRET, PUBLIC_URL: 'https://khamar.example' }

function refusal(source: Record<string, string>): string {
  try {
    readEnv({ DATA_DIR, ...source })
  } catch (error) {
    expect(error).toBeInstanceOf(SettingsError)
    return (error as Error).message
  }
  throw new Error('it was accepted')
}

describe('readEnv', () => {
  it('has defaults for all settings outside production', () => {
    expect(readEnv({ DATA_DIR })).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      dataDir: DATA_DIR,
      databaseUrl: null,
      databaseReadUrl: null,
      publicUrl: 'http://127.0.0.1:3000',
      demo: 'auto',
      rateLimit: true,
      production: false,
    })
  })

  it('reads the access to buckets', () => {
    const keys = { S3_ACCESS_KEY_ID: 'key', S3_SECRET_ACCESS_KEY: 'secret' }
    expect(readEnv({ DATA_DIR }).s3).toBeNull()
    expect(readEnv({ DATA_DIR, ...keys }).s3).toEqual({
      endpoint: null,
      region: 'us-east-1',
      accessKeyId: 'key',
      secretAccessKey: 'secret',
    })
    expect(readEnv({ DATA_DIR, ...keys, S3_ENDPOINT: 'https://s3.example', S3_REGION: 'dhaka' }).s3).toMatchObject({
      endpoint: 'https://s3.example',
      region: 'dhaka',
    })
    expect(refusal({ S3_ACCESS_KEY_ID: 'key' })).toBe('S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY are needed for a bucket.')
    expect(refusal({ S3_ENDPOINT: 'https://s3.example' })).toContain('S3_SECRET_ACCESS_KEY')
    expect(refusal({ ...keys, S3_ENDPOINT: 's3.example' })).toContain('S3_ENDPOINT must look like')
  })

  it('reads the place of uploads', () => {
    const keys = { S3_ACCESS_KEY_ID: 'key', S3_SECRET_ACCESS_KEY: 'secret' }
    const UPLOADS = 's3://shop/uploads'
    expect(readEnv({ DATA_DIR, ...keys, UPLOADS, UPLOADS_PUBLIC_URL: 'https://cdn.example/a/' })).toMatchObject({
      uploads: { folder: path.join(DATA_DIR, 'uploads-cache'), bucket: { url: { bucket: 'shop', prefix: 'uploads/' } } },
      uploadsPublicUrl: 'https://cdn.example/a',
    })
    expect(refusal({ UPLOADS })).toContain('needs S3_ACCESS_KEY_ID')
    expect(refusal({ ...keys, UPLOADS: '/var/uploads' })).toContain('UPLOADS must look like s3://bucket/prefix')
    expect(refusal({ UPLOADS_PUBLIC_URL: 'https://cdn.example' })).toContain('needs UPLOADS')
    expect(refusal({ ...keys, UPLOADS, UPLOADS_PUBLIC_URL: 'http://cdn.example' })).toContain('UPLOADS_PUBLIC_URL must look like')
  })

  it('reads settings, and treats an empty value as unset', () => {
    const env = readEnv({
      DATA_DIR,
      PORT: '8080',
      HOST: '0.0.0.0',
      DATABASE_URL: 'postgresql://khamar@localhost/khamar',
      PUBLIC_URL: 'https://khamar.example/',
      SESSION_SECRET: SECRET,
      DEMO: 'off',
      RATE_LIMIT: ' ',
      NODE_ENV: 'production',
    })
    expect(env).toEqual({
      port: 8080,
      host: '0.0.0.0',
      dataDir: DATA_DIR,
      databaseUrl: 'postgresql://khamar@localhost/khamar',
      databaseReadUrl: null,
      publicUrl: 'https://khamar.example',
      sessionSecret: SECRET,
      demo: 'off',
      rateLimit: true,
      production: true,
      s3: null,
      uploads: { folder: path.join(DATA_DIR, 'uploads'), bucket: null },
      uploadsPublicUrl: null,
      backupTo: path.join(DATA_DIR, 'backups'),
      trustProxy: null,
      logLevel: 'warn',
      observability: {
        metricsPort: null,
        metricsHost: '127.0.0.1',
        metricsToken: null,
        slowQueryMs: 1000,
        otlpEndpoint: null,
        traceRatio: 1,
      },
    })
  })

  it.each([
    ['0.0.0.0', 'http://localhost:3000'],
    ['::', 'http://localhost:3000'],
    ['::1', 'http://[::1]:3000'],
    ['shop.lan', 'http://shop.lan:3000'],
  ])('with HOST=%s the public URL is %s', (HOST, publicUrl) => {
    expect(readEnv({ DATA_DIR, HOST }).publicUrl).toBe(publicUrl)
  })

  it('stores the generated secret, readable by its owner only', () => {
    const first = readEnv({ DATA_DIR }).sessionSecret
    expect(first).toMatch(/^[0-9a-f]{64}$/)
    expect(readEnv({ DATA_DIR }).sessionSecret).toBe(first)
    expect(statSync(path.join(DATA_DIR, 'session-secret')).mode & 0o777).toBe(0o600)
  })

  it('generates no secret when one is set', () => {
    readEnv({ DATA_DIR, SESSION_SECRET: SECRET })
    expect(existsSync(path.join(DATA_DIR, 'session-secret'))).toBe(false)
  })

  const wrong: [Record<string, string>, string][] = [
    [{ PORT: 'abc' }, 'PORT must be a whole number from 1 to 65535, not "abc".'],
    [{ PORT: '0' }, 'PORT must be'],
    [{ PORT: '65536' }, 'PORT must be'],
    [{ PORT: '80.5' }, 'PORT must be'],
    [{ HOST: 'http://x' }, 'HOST must be'],
    [{ DATABASE_URL: 'mysql://x/y' }, 'DATABASE_URL must look like postgresql://'],
    [{ DATABASE_URL: 'postgresql://x:1,y:z/shop' }, 'DATABASE_URL must look like postgresql://'],
    [{ DATABASE_URL: 'postgresql://khamar:a#b/c@db/khamar' }, 'in the password write / as %2F, # as %23'],
    [{ DATABASE_URL: 'postgresql://khamar@db/khamar?sslrootcert=/none/ca.crt' }, 'cannot read: /none/ca.crt.'],
    [{ DATABASE_READ_URL: 'postgresql://khamar@db/khamar?sslkey=/none/key' }, 'DATABASE_READ_URL names a file'],
    [{ DATABASE_URL: 'postgresql://khamar:p@ss/word@db/khamar' }, 'in the password write / as %2F, # as %23'],
    [{ DATABASE_URL: 'postgresql://khamar:12#ss@db/khamar' }, 'in the password write / as %2F, # as %23'],
    [{ DATABASE_URL: 'postgresql://khamar:12?ss@db/khamar' }, '? as %3F'],
    [{ DATABASE_URL: 'postgresql://khamar:12?a=b@db/khamar' }, '? as %3F'],
    [{ DATABASE_READ_URL: 'postgresql://x,y/shop' }, 'DATABASE_READ_URL must look like postgresql://'],
    [{ PUBLIC_URL: 'khamar.example' }, 'PUBLIC_URL must look like https://shop.example, not "khamar.example".'],
    [{ PUBLIC_URL: 'https://khamar.example/shop' }, 'PUBLIC_URL must look like'],
    [{ SESSION_SECRET: 'short' }, 'SESSION_SECRET must have at least 32 characters'],
    [{ DEMO: 'yes' }, 'DEMO must be on or off or auto, not "yes".'],
    [{ RATE_LIMIT: 'no' }, 'RATE_LIMIT must be on or off, not "no".'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be trace or debug or info or warn or error or fatal or silent, not "loud".'],
    ...['proxy', '1.2.3', '999.1.1.1', '10.0.0.0/99', '::/0', '0.0.0.0/0', '127.0.0.1,', 'Loopback'].map(
      (text): [Record<string, string>, string] => [{ TRUST_PROXY: text }, 'TRUST_PROXY must list the addresses of your own proxies'],
    ),
    [{ DATABASE_URL: 'postgresql://khamar:100%sure@db/khamar' }, 'DATABASE_URL has a % that encodes nothing: write it as %25.'],
    [{ DATABASE_READ_URL: 'postgresql://khamar:100%sure@db/khamar' }, 'DATABASE_READ_URL has a %'],
    // Such a shop would run as a demo, or without the checks of production.
    [{ NODE_ENV: 'prod' }, 'NODE_ENV must be production or development or test, not "prod".'],
    [{ NODE_ENV: 'production\r' }, 'NODE_ENV must be'],
    [{ NODE_ENV: 'production' }, 'SESSION_SECRET is needed in production'],
    [{ NODE_ENV: 'production', SESSION_SECRET: SECRET }, 'PUBLIC_URL is needed in production'],
    [{ NODE_ENV: 'production', SESSION_SECRET: SECRET, PUBLIC_URL: ' ' }, 'PUBLIC_URL is needed in production'],
    [
      { NODE_ENV: 'production', SESSION_SECRET: SECRET, PUBLIC_URL: 'http://khamar.example' },
      'PUBLIC_URL must begin with https:// in production, not "http://khamar.example".',
    ],
    [
      { NODE_ENV: 'production', SESSION_SECRET: SECRET, PUBLIC_URL: 'http://127.0.0.1.khamar.example' },
      'PUBLIC_URL must begin with https://',
    ],
    [{ NODE_ENV: 'production', SESSION_SECRET: SECRET, PUBLIC_URL: 'http://192.168.0.10:3000' }, 'PUBLIC_URL must begin with https://'],
    [{ ...PRODUCTION, RATE_LIMIT: 'off' }, 'RATE_LIMIT=off is for measuring'],
    [{ ...PRODUCTION, DEMO: 'on' }, 'DEMO=on is refused in production'],
  ]
  it.each(wrong)('rejects %o with a message of one line', (source, text) => {
    const message = refusal(source)
    expect(message).toContain(text)
    expect(message).not.toContain('\n')
  })

  it.each(['http://127.0.0.1:3001', 'http://localhost:3000', 'http://[::1]:3000'])(
    'permits production mode on this machine at %s',
    (PUBLIC_URL) => {
      expect(readEnv({ DATA_DIR, ...PRODUCTION, PUBLIC_URL }).publicUrl).toBe(PUBLIC_URL)
    },
  )

  it('parses PUBLIC_URL as a browser does', () => {
    expect(readEnv({ DATA_DIR, ...PRODUCTION, PUBLIC_URL: 'HTTPS://Khamar.Example:443/' }).publicUrl).toBe('https://khamar.example')
    expect(refusal({ ...PRODUCTION, PUBLIC_URL: 'HTTP://khamar.example' })).toContain('PUBLIC_URL must begin with https://')
  })

  it.each<[Record<string, string>, string[]]>([
    [{}, []],
    [{ HOST: '::1' }, []],
    [{ HOST: 'localhost', PUBLIC_URL: 'http://shop.localhost:3000' }, []],
    [{ HOST: '127.0.0.9' }, []],
    [{ HOST: '0.0.0.0' }, ['HOST=0.0.0.0']],
    [{ HOST: '::' }, ['HOST=::']],
    [{ HOST: '192.168.0.10' }, ['HOST=192.168.0.10', 'PUBLIC_URL=http://192.168.0.10:3000']],
    [{ PUBLIC_URL: 'https://khamar.example' }, ['PUBLIC_URL=https://khamar.example']],
    [{ TRUST_PROXY: '127.0.0.1' }, ['TRUST_PROXY=127.0.0.1']],
  ])('with %o the shop is public by %j', (source, settings) => {
    expect(publicSettings(readEnv({ DATA_DIR, ...source }))).toEqual(settings)
  })

  it('never prints a secret or a database password', () => {
    expect(refusal({ SESSION_SECRET: 'tiny-secret' })).not.toContain('tiny-secret')
    expect(refusal({ DATABASE_URL: 'mysql://u:pass-word@x/y' })).not.toContain('pass-word')
  })

  it('reports a DATA_DIR that cannot be used', () => {
    const file = path.join(home, 'file')
    writeFileSync(file, '')
    expect(refusal({ DATA_DIR: path.join(file, 'data') })).toContain('a part of the path is not a folder')
    expect(refusal({ DATA_DIR: file })).toContain('there is a file of that name')
    symlinkSync(path.join(home, 'gone'), path.join(home, 'link'))
    expect(refusal({ DATA_DIR: path.join(home, 'link', 'data') })).toContain('cannot be made')
  })

  it('creates the parents of DATA_DIR', () => {
    const deep = path.join(home, 'some', 'where', 'deep')
    expect(readEnv({ DATA_DIR: deep }).dataDir).toBe(deep)
    expect(readEnv({ DATA_DIR: deep }).sessionSecret).toHaveLength(64)
  })

  // In its own process: the tested call could block forever.
  it.runIf(existsSync('/proc/self'))('fails where the system permits no folders, instead of trying forever', () => {
    const program = `import { readEnv } from ${JSON.stringify(import.meta.resolve('./env.server.ts'))}; readEnv()`
    const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
      env: { ...process.env, DATA_DIR: '/proc/nope/deeper' },
      encoding: 'utf8',
      timeout: 60_000,
      killSignal: 'SIGKILL',
    })
    expect(status).toBe(1)
    expect(stderr).toContain('DATA_DIR /proc/nope/deeper cannot be made: the system lets nothing be made there.')
  })

  it('reports a damaged stored secret', () => {
    readEnv({ DATA_DIR })
    const file = path.join(DATA_DIR, 'session-secret')
    writeFileSync(file, readFileSync(file, 'utf8').slice(0, 5))
    expect(refusal({})).toContain('is damaged')
  })
})
