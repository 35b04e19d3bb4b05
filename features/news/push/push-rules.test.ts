import { describe, expect, it } from 'vitest'
import { isPushEndpoint, MAX_ENDPOINT_LENGTH, retryAfterSeconds, TTL_SECONDS } from './push-rules.ts'

describe('isPushEndpoint', () => {
  it.each([
    ['https://fcm.googleapis.com/fcm/send/abc:def', true],
    ['https://updates.push.services.mozilla.com/wpush/v2/abc', true],
    ['https://wns2-par02p.notify.windows.com/w/?token=abc', true],
    ['https://web.push.apple.com/abc', true],
    ['http://fcm.googleapis.com/fcm/send/abc', false],
    ['https://fcm.googleapis.com:8443/fcm/send/abc', false],
    ['https://user:word@fcm.googleapis.com/fcm/send/abc', false],
    ['https://fcm.googleapis.com@127.0.0.1/abc', false],
    ['https://fcm.googleapis.com.evil.example/abc', false],
    ['https://evil-notify.windows.com/abc', false],
    ['https://notify.windows.com/abc', false],
    ['https://FCM.GoogleApis.com/fcm/send/abc', true],
    ['https://127.0.0.1/abc', false],
    ['https://[::1]/abc', false],
    ['https://169.254.169.254/latest/meta-data', false],
    ['https://localhost/abc', false],
    ['file:///etc/passwd', false],
    ['javascript:alert(1)', false],
    ['', false],
    [`https://fcm.googleapis.com/${'x'.repeat(MAX_ENDPOINT_LENGTH)}`, false],
  ])('%s: %s', (url, expected) => expect(isPushEndpoint(url)).toBe(expected))

  it('takes the simulator of a test, and nothing beside it', () => {
    expect(isPushEndpoint('http://127.0.0.1:4000/push/a', 'http://127.0.0.1:4000')).toBe(true)
    expect(isPushEndpoint('http://127.0.0.1:4001/push/a', 'http://127.0.0.1:4000')).toBe(false)
    expect(isPushEndpoint('http://127.0.0.1:4000/push/a')).toBe(false)
  })
})

it.each([
  [null, 0],
  ['90', 90],
  ['0', 0],
  ['-5', 0],
  ['999999999', TTL_SECONDS],
  ['Wed, 25 Nov 2026 10:01:30 GMT', 90],
  ['Wed, 25 Nov 2026 09:00:00 GMT', 0],
  ['soon', 0],
])('retryAfterSeconds of %s is %s', (header, seconds) => expect(retryAfterSeconds(header, new Date('2026-11-25T10:00:00Z'))).toBe(seconds))
