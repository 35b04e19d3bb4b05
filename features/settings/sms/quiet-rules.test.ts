import { expect, it } from 'vitest'
import { dhakaInstant } from '#lib/format/time.ts'
import { isQuiet, lastBeforeQuiet, quietEnd } from './quiet-rules.ts'

it.each([
  ['the evening before they begin', '21:59', { from: 22, to: 8 }, false],
  ['their first minute', '22:00', { from: 22, to: 8 }, true],
  ['over midnight', '00:30', { from: 22, to: 8 }, true],
  ['their last minute', '07:59', { from: 22, to: 8 }, true],
  ['the morning', '08:00', { from: 22, to: 8 }, false],
  ['hours of one day, within', '13:30', { from: 13, to: 15 }, true],
  ['hours of one day, after', '15:00', { from: 13, to: 15 }, false],
  ['none', '03:00', { from: 5, to: 5 }, false],
  ['none, at that very hour', '05:00', { from: 5, to: 5 }, false],
])('%s', (_name, time, hours, expected) => {
  expect(isQuiet(dhakaInstant('2026-04-01', time), hours)).toBe(expected)
})

it.each([
  ['by day', '17:10', '17:10'],
  ['in the evening', '22:40', '21:55'],
  ['at night', '2026-04-02 06:00', '21:45'],
])('the last moment before the quiet hours: %s', (_name, time, expected) => {
  const [on, at] = time.includes(' ') ? time.split(' ') : ['2026-04-01', time]
  expect(lastBeforeQuiet(dhakaInstant(on!, at), { from: 22, to: 8 })).toEqual(dhakaInstant('2026-04-01', expected))
})

it('without an hour awake it is the moment of the day before', () => {
  const moment = dhakaInstant('2026-04-02', '12:00')
  expect(lastBeforeQuiet(moment, { from: 12, to: 12 })).toEqual(moment)
})

it.each([
  ['in the evening', '2026-04-01 22:00', '2026-04-02 08:00'],
  ['at night', '2026-04-02 02:30', '2026-04-02 08:00'],
  ['by day', '2026-04-02 08:10', '2026-04-02 08:10'],
])('the end of the quiet hours: %s', (_name, moment, expected) => {
  const at = (text: string) => dhakaInstant(...(text.split(' ') as [string, string]))
  expect(quietEnd(at(moment), { from: 22, to: 8 })).toEqual(at(expected))
})
