import type { IncomingMessage } from 'node:http'
import { expect, it } from 'vitest'
import { trustedProxies } from './trusted-proxies.server.ts'

it.each([
  [null, '127.0.0.1', false],
  ['127.0.0.1', '127.0.0.1', true],
  ['127.0.0.1', '::ffff:127.0.0.1', true],
  ['127.0.0.1', '127.0.0.2', false],
  ['loopback', '127.0.0.2', true],
  ['loopback', '::1', true],
  ['10.0.0.0/8, 192.0.2.1', '10.9.8.7', true],
  ['10.0.0.0/8, 192.0.2.1', '192.0.2.1', true],
  ['10.0.0.0/8, 192.0.2.1', '192.0.2.2', false],
  ['2001:db8::/32', '2001:db8::1', true],
  ['2001:db8::/32', '2001:db9::1', false],
  ['2001:db8::/32', undefined, false],
])('TRUST_PROXY=%s trusts %s: %s', (setting, remoteAddress, expected) => {
  expect(trustedProxies(setting)({ socket: { remoteAddress } } as IncomingMessage)).toBe(expected)
})
