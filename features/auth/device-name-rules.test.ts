import { expect, test } from 'vitest'
import { deviceLabel, deviceName } from './device-name-rules.ts'

const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)'
test.each([
  [`Mozilla/5.0 (Linux; Android 10; K) ${webkit} Chrome/131.0.0.0 Mobile Safari/537.36`, 'Chrome', 'Android'],
  [
    `Mozilla/5.0 (Linux; Android 13; SAMSUNG SM-A135F) ${webkit} SamsungBrowser/24.0 Chrome/117.0.0.0 Mobile Safari/537.36`,
    'Samsung Internet',
    'Android',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
    'Safari',
    'iPhone',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 [FBAN/FBIOS;FBAV/450]',
    'Facebook',
    'iPhone',
  ],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0`, 'Edge', 'Windows'],
  [`Mozilla/5.0 (X11; Linux x86_64) ${webkit} Chrome/131.0.0.0 Safari/537.36 OPR/117.0`, 'Opera', 'Linux'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:133.0) Gecko/20100101 Firefox/133.0', 'Firefox', 'macOS'],
  ['curl/8.5.0', null, null],
  ['', null, null],
  ['"><img src=x onerror=alert(1)>', null, null],
])('%j is %s on %s', (userAgent, browser, system) => expect(deviceName(userAgent)).toEqual({ browser, system }))

test.each([
  ['Chrome', 'Android', 'Chrome on Android'],
  [null, 'Android', 'Android'],
  ['Chrome', null, 'Chrome'],
  [null, null, null],
])('%s and %s are called %s', (browser, system, label) =>
  expect(deviceLabel({ browser, system }, (known) => `${known.browser} on ${known.system}`)).toBe(label),
)
