import { expect, it } from 'vitest'
import { locksWhenIdle, pinProblem, readPin } from './lock-rules.ts'

it.each([
  ['7391', null],
  ['739105', null],
  ['১২৫৮', null],
  ['1357', null],
  ['739', 'lock.pin-format'],
  ['7391056', 'lock.pin-format'],
  ['73a1', 'lock.pin-format'],
  ['', 'lock.pin-format'],
  ['73 91', 'lock.pin-format'],
  ['0000', 'lock.pin-simple'],
  ['৯৯৯৯৯৯', 'lock.pin-simple'],
  ['1234', 'lock.pin-simple'],
  ['987654', 'lock.pin-simple'],
])('%s is judged %s', (typed, problem) => expect(pinProblem(readPin(typed))).toBe(problem))

it.each([
  ['cashier', true],
  ['weigher', true],
  ['sales', false],
  ['manager', false],
  ['owner', false],
  ['viewer', false],
  ['customer', false],
] as const)('%s: %s', (role, locks) => expect(locksWhenIdle(role)).toBe(locks))
