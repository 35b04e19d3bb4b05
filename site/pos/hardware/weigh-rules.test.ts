import { expect, it } from 'vitest'
import type { PosScale } from './use-scale.ts'
import { isTakenOff, lineToWeigh, weighableLines, weighing } from './weigh-rules.ts'

const line = (id: number, unit: 'kg' | 'piece' = 'kg', isAnimal = false) => ({ id, unit, isAnimal, saleKey: 'a' })
const scale = (grams: number, isStable = true): PosScale => ({ status: 'connected', view: { kind: 'weight', weight: { grams, isStable } } })

it('weighs products by the kilogram: no pieces, no animals, no packs', () => {
  expect(weighableLines([line(1), line(2, 'piece'), line(3, 'kg', true), { ...line(4), sizesMilli: [5000] }])).toEqual([line(1)])
})

it('the chosen line gets the weight, else the one added last, else the newest', () => {
  const lines = [line(1), line(2), line(3, 'piece')]
  expect(lineToWeigh(lines, 1, 2)?.id).toBe(1)
  expect(lineToWeigh(lines, null, 1)?.id).toBe(1)
  expect(lineToWeigh(lines, 9, 3)?.id).toBe(2)
  expect(lineToWeigh([line(3, 'piece')], 3, 3)).toBeNull()
})

it('takes a stable weight above zero, with two decimals', () => {
  expect(weighing(scale(1236), line(1), null)).toEqual({ ok: true, quantity: '1.24' })
  expect(weighing(scale(1236, false), line(1), null)).toEqual({ ok: false, problem: 'unstable' })
  for (const grams of [0, -500, 4]) expect(weighing(scale(grams), line(1), null)).toEqual({ ok: false, problem: 'nothing' })
})

it('takes nothing without a line, or while the scale shows no weight', () => {
  expect(weighing(scale(500), null, null)).toEqual({ ok: false, problem: 'no-line' })
  const without: PosScale[] = [
    { status: 'off', view: null },
    { status: 'silent', view: null },
    { status: 'unplugged', view: null },
    { status: 'connected', view: { kind: 'overload' } },
    { status: 'connected', view: { kind: 'wrong-unit' } },
  ]
  for (const one of without) expect(weighing(one, line(1), null)).toEqual({ ok: false, problem: 'no-weight' })
})

it('the same weight goes to one line only, until it is taken off', () => {
  expect(weighing(scale(500), line(1), line(1))).toMatchObject({ ok: true })
  expect(weighing(scale(500), line(2), line(1))).toEqual({ ok: false, problem: 'not-emptied' })
  const silent: PosScale = { status: 'silent', view: null }
  expect([scale(500), scale(10), scale(-5), silent].map(isTakenOff)).toEqual([false, true, true, false])
})

it('the next sale does not get the weight that the sale before left on the scale, for the same product either', () => {
  expect(weighing(scale(500), { id: 1, saleKey: 'b' }, line(1))).toEqual({ ok: false, problem: 'not-emptied' })
})

it('a tared bowl that is taken off with the product leaves less than zero, and frees the scale', () => {
  expect(isTakenOff(scale(-480))).toBe(true)
})
