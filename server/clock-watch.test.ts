import { expect, it } from 'vitest'
import { ClockWatch } from './clock-watch.ts'

const START = Date.parse('2026-11-20T06:00:00Z')
const MINUTE = 60_000

it.each<[string, number, boolean, number[]]>([
  ['runs as it should', 0, true, []],
  ['is corrected by some seconds', 20_000, true, []],
  ['is set forward by five hours', 300 * MINUTE, false, [18_000]],
  ['is set back by five hours', -300 * MINUTE, false, [-18_000]],
])('a clock that %s', (_what, jumpMs, isSteady, warnings) => {
  const said: number[] = []
  const watch = new ClockWatch((seconds) => said.push(seconds))
  const at = (elapsedMs: number) => watch.isSteady(new Date(START + elapsedMs + (elapsedMs >= MINUTE ? jumpMs : 0)), elapsedMs)
  expect(at(0)).toBe(true)
  expect(at(MINUTE)).toBe(isSteady)
  expect(at(30 * MINUTE)).toBe(isSteady)
  expect(at(31 * MINUTE)).toBe(true)
  expect(said).toEqual(warnings)
})

it.each([
  ['expire-orders', false],
  ['delete-expired-rows', false],
  ['delete-unused-uploads', false],
  ['announce-deliveries', false],
  ['remind-advances', false],
  ['send-emails', true],
] as const)('after a jump, %s may run: %s', (job, isPermitted) => {
  const watch = new ClockWatch(() => {})
  expect(watch.permits(job, new Date(START), 0)).toBe(true)
  watch.isSteady(new Date(START), 0)
  watch.isSteady(new Date(START + 300 * MINUTE), MINUTE)
  expect(watch.permits(job, new Date(START + 301 * MINUTE), 2 * MINUTE)).toBe(isPermitted)
})
