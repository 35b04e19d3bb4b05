import { describe, expect, it } from 'vitest'
import { taka } from '#lib/money.ts'
import type { LedgerKind } from '../types.ts'
import type { OrderStatus } from '../rules.ts'
import { changedSince, tooMuchOf } from './ledger-rules.ts'

describe('more than an order has to get', () => {
  it.each<[string, OrderStatus, number, number, number, number]>([
    ['nothing of what is due', 'placed', 1000, 0, 1000, 0],
    ['the rest over what is due', 'delivered', 1000, 400, 700, 100],
    ['all, where it is paid', 'completed', 1000, 1000, 1, 1],
    ['all, where more has come already', 'processing', 1000, 1200, 50, 50],
    ['all, where it has ended', 'cancelled', 1000, 0, 1000, 1000],
    ['nothing more than before, where a weighing made it dearer', 'delivered', 1000, -500, 1500, 0],
  ])('is %s', (_, status, total, paid, amount, over) => {
    expect(tooMuchOf(taka(amount), { status, total: taka(total), paid: taka(paid) })).toBe(taka(over))
  })
})

describe('what has changed since an order was written', () => {
  it.each<[string, [LedgerKind, number][], number]>([
    [
      'nothing by money that came or went',
      [
        ['advance', 10_000],
        ['refund', -500],
      ],
      0,
    ],
    [
      'more by a weighing',
      [
        ['advance', 10_000],
        ['settlement', -6562.5],
      ],
      6562.5,
    ],
    ['less by goods that came back', [['settlement', 300]], -300],
    [
      'the sum of all',
      [
        ['settlement', 1575],
        ['settlement', -6562.5],
      ],
      4987.5,
    ],
  ])('is %s', (_, rows, change) => {
    expect(changedSince(rows.map(([kind, amount]) => ({ kind, amount })))).toBe(change)
  })
})
