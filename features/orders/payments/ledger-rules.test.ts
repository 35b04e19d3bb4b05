import { describe, expect, it } from 'vitest'
import { poisha, taka } from '#lib/format/money.ts'
import type { OrderStatus } from '../rules.ts'
import { excessOf } from '#features/ledger/rules.ts'
import { ledgerState, paymentKind } from './ledger-rules.ts'

describe('the part of an amount above the amount due', () => {
  it.each<[string, number, number, number]>([
    ['nothing of what is due', 1000, 1000, 0],
    ['the rest over what is due', 600, 700, 100],
    ['all, where nothing is due', 0, 1, 1],
    ['all, where money is to be refunded', -200, 50, 50],
  ])('is %s', (_, due, amount, over) => {
    expect(excessOf(taka(amount), poisha(due * 100))).toBe(taka(over))
  })
})

it.each<[string, OrderStatus, boolean, string]>([
  ['before the products are sent', 'processing', false, 'advance'],
  ['at the door', 'on_delivery', false, 'cash_on_delivery'],
  ['after the delivery', 'completed', false, 'cash_on_delivery'],
  ['of a collected order, or of a sale at the counter', 'completed', true, 'counter'],
  ['for a cancelled order', 'cancelled', false, 'counter'],
])('cash %s (%s) is recorded by its kind', (_, status, isPaidAtFarm, kind) => {
  expect(paymentKind({ status, isPaidAtFarm }, 'cash')).toBe(kind)
})

describe('the state of the money', () => {
  it.each<[OrderStatus, number, string]>([
    ['placed', 1, 'due'],
    ['delivered', 0, 'settled'],
    ['completed', -1, 'overpaid'],
    ['cancelled', -1, 'to-refund'],
    ['returned', 0, 'settled'],
  ])('of a %s order with %d due is %s', (status, due, state) => {
    expect(ledgerState({ status, due: poisha(due) })).toBe(state)
  })
})
