import type { Lang } from '#lib/lang.ts'
import { formatTaka, takaToPoisha } from '#lib/money.ts'
import { moneyStanding } from '../invoice-rules.ts'
import type { OrderJson } from '../types.ts'

/** What the buyer still owes, in taka: nothing once the order has ended. */
export const owed = (order: OrderJson) => (moneyStanding(order) === 'closed' ? 0 : Math.max(0, order.due))

/** Taka that goods which came back cost less: zero or below. What weighings have changed is not counted. */
export function returnedWorth(order: OrderJson): number {
  const weighed = order.settlements.reduce((sum, one) => sum + one.difference * 100, 0)
  return Math.round(order.settlement * 100 - weighed) / 100
}

/** An amount of taka from JSON. */
export const money = (taka: number, lang: Lang) => formatTaka(takaToPoisha(Math.round(taka * 100) / 100), lang)
