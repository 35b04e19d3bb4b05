import { expect, it } from 'vitest'
import { parseGatewayTime } from './gateway-time.ts'

it.each([
  ['2019-08-07T11:12:34:978 GMT+0600', '2019-08-07T05:12:34.978Z'],
  ['2026-11-20 12:00:00', '2026-11-20T06:00:00.000Z'],
  ['2026-11-20T12:00:00', '2026-11-20T06:00:00.000Z'],
  ['2026-11-20T12:00:00:5 GMT+0000', '2026-11-20T12:00:00.500Z'],
])('reads %s', (text, instant) => expect(parseGatewayTime(text)?.toISOString()).toBe(instant))

it.each(['', 'yesterday', '2026-11-20', '20/11/2026 12:00:00'])('rejects %j', (text) => expect(parseGatewayTime(text)).toBeNull())
