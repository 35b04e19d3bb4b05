import { expect, it } from 'vitest'
import { LogThrottle } from './log-throttle.ts'

it('writes one line a minute, with the number of those left out', () => {
  const throttle = new LogThrottle()
  const lines: object[] = []
  const times = [0, 1, 59_999, 60_000, 60_001, 200_000, 260_000]
  for (const now of times) throttle.run((leftOut) => lines.push(leftOut), now)
  expect(lines).toEqual([{}, { leftOut: 2 }, { leftOut: 1 }, {}])
})
