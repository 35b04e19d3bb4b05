import { afterAll, describe, expect, it } from 'vitest'
import { configureEmail } from './configure.server.ts'
import { smtpGateway } from './smtp.server.ts'
import { startSmtp } from './testing/start-smtp.ts'

const log = { info() {} }
const configure = (source: Record<string, string | undefined>, demo: 'on' | 'off' = 'off') => configureEmail({ env: { demo }, log, source })
const FROM = { EMAIL_FROM: 'Shop <orders@shop.example>' }

describe('settings of email', () => {
  it('is off without settings', () => {
    for (const source of [{}, { SMTP_URL: '  ' }, FROM] as Record<string, string>[]) expect(configure(source)).toBeNull()
  })

  it.each([
    { SMTP_URL: 'smtps://user:p%40ss@mail.example', ...FROM },
    { SMTP_HOST: 'mail.example', SMTP_USER: 'user', SMTP_PASSWORD: 'secret', EMAIL_FROM: 'orders@shop.example' },
  ])('is on with a server and a sender', (source) => {
    expect(configure(source)).not.toBeNull()
  })

  it.each([
    [{ SMTP_URL: 'https://mail.example', ...FROM }, /SMTP_URL/],
    [{ SMTP_URL: 'smtp://mail.example' }, /EMAIL_FROM/],
    [{ SMTP_URL: 'smtp://mail.example', EMAIL_FROM: 'shop' }, /EMAIL_FROM/],
    [{ SMTP_URL: 'smtp://mail.example', EMAIL_FROM: 'A <a@b.example>, C <c@d.example>' }, /EMAIL_FROM/],
    [{ SMTP_HOST: 'mail.example', SMTP_USER: 'user', ...FROM }, /SMTP_PASSWORD/],
    [{ SMTP_HOST: 'mail.example', SMTP_PORT: '99999', ...FROM }, /^SMTP_PORT must be a whole number from 1 to 65535, not "99999"\.$/],
    [{ SMTP_URL: 'smtp://user:100%x@mail.example', ...FROM }, /^SMTP_URL has a % that encodes nothing/],
    [{ SMTP_HOST: 'mail example', ...FROM }, /SMTP_HOST/],
  ])('refuses %j', (source, message) => {
    expect(() => configure(source)).toThrow(message)
  })

  it('sends nothing from a demo', async () => {
    const gateway = configure({ SMTP_URL: 'smtp://127.0.0.1:1', ...FROM }, 'on')!
    expect(await gateway.send(EMAIL)).toEqual({ state: 'sent' })
  })
})

const EMAIL = {
  messageId: 'x',
  to: 'a@mail.example',
  fromName: 'Shop',
  replyTo: null,
  subject: 'Hello',
  text: 'Hello',
  html: '<p>Hello</p>',
}

describe('TLS and passwords', async () => {
  const seen: string[] = []
  const auth = {
    authOptional: false,
    onAuth: (given: { username?: string }, _session: unknown, done: (error: Error | null) => void) => (
      seen.push(given.username ?? ''),
      done(new Error('wrong'))
    ),
  }
  const plain = await startSmtp({ ...auth, allowInsecureAuth: true } as never)
  const withTls = await startSmtp({ disabledCommands: [] })
  afterAll(() => Promise.all([plain.close(), withTls.close()]))
  const base = { isSecure: false, sender: { name: null, address: 'orders@shop.example' }, deadlineMs: 2000 }
  const account = { user: 'user', password: 'secret' }

  it('waits for a repair after a wrong password', async () => {
    const outcome = await smtpGateway({ ...base, host: '127.0.0.1', port: plain.port, account }).send(EMAIL)
    expect(outcome).toMatchObject({ state: 'later', code: '535', isServerProblem: true })
    expect(seen).toEqual(['user'])
  })

  it('sends no password without TLS to another machine', async () => {
    seen.length = 0
    // This address reaches the same server, but is not known as this machine.
    const outcome = await smtpGateway({ ...base, host: '0.0.0.0', port: plain.port, account }).send(EMAIL)
    expect(outcome).toMatchObject({ state: 'later', isServerProblem: true })
    expect(seen).toEqual([])
  })

  it('sends nothing to a server whose certificate is unknown', async () => {
    const outcome = await smtpGateway({ ...base, host: '127.0.0.1', port: withTls.port, account: null }).send(EMAIL)
    expect(outcome).toMatchObject({ state: 'later', isServerProblem: true })
    expect(withTls.received).toEqual([])
  })
})
