import { expect, it } from 'vitest'
import { configureSms } from './configure.server.ts'

const log = { info() {}, warn() {} }
const env = { port: 3000, host: '0.0.0.0', demo: 'off' as const }
const configure = (source: Record<string, string>) => configureSms({ env, log, source })
const KEY = { SMS_API_KEY: 'a-secret-key', SMS_SENDER_ID: 'Khamar' }

it('no provider is configured', () => {
  expect(configure({ SMS_API_KEY: ' ' })).toEqual({ gateway: null, simulator: null })
})
it('a company with key and sender', () => {
  expect(configure(KEY).gateway).not.toBeNull()
  expect(configure({ ...KEY, SMS_BASE_URL: 'http://127.0.0.1:4000/' }).gateway).not.toBeNull()
})
it('a demo sends to itself, whatever the environment holds', () => {
  const demo = configureSms({ env: { ...env, demo: 'on' }, log, source: KEY })
  expect(demo.simulator?.apiKey).toMatch(/^[0-9a-f]{24}$/)
})
it.each([
  [{ SMS_API_KEY: 'a-secret-key' }, 'SMS_SENDER_ID must be set too: sending SMS needs both SMS_API_KEY and SMS_SENDER_ID.'],
  [{ SMS_SENDER_ID: 'Khamar' }, 'SMS_API_KEY must be set too: sending SMS needs both SMS_API_KEY and SMS_SENDER_ID.'],
  [{ ...KEY, SMS_BASE_URL: 'http://bulksmsbd.net' }, 'SMS_BASE_URL must be an https address.'],
  [{ ...KEY, SMS_BASE_URL: 'bulksmsbd.net' }, 'SMS_BASE_URL must be an https address.'],
  [{ ...KEY, SMS_SENDER_ID: 'K'.repeat(51) }, 'SMS_SENDER_ID must have at most 50 characters.'],
])('%j stops the start with one line', (source, line) => {
  expect(() => configure(source)).toThrow(line)
  try {
    configure(source)
  } catch (error) {
    expect(String(error)).not.toContain('a-secret-key')
  }
})
