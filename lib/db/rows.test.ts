import { expect, expectTypeOf, it } from 'vitest'
import { datesToText, type SnakeCased, toCamel, type WithDates } from './rows.ts'

interface Session {
  id: number
  userAgent: string | null
  lastSeenAt: Date
}

it('toCamel converts the names of a row, and only those of its own', () => {
  const row: SnakeCased<Session> = { id: 1, user_agent: null, last_seen_at: new Date(0) }
  expect(toCamel<Session>(row)).toEqual({ id: 1, userAgent: null, lastSeenAt: new Date(0) })
  expect(toCamel<{ orderLines: { unit_price: number }[] }>({ order_lines: [{ unit_price: 5 }] })).toEqual({
    orderLines: [{ unit_price: 5 }],
  })
  expectTypeOf<SnakeCased<Session>>().toEqualTypeOf<{ id: number; user_agent: string | null; last_seen_at: Date }>()
})

it('datesToText writes instants as JSON does', () => {
  interface Json {
    id: number
    at: string
    ended_at: string | null
  }
  const row: WithDates<Json, 'at' | 'ended_at'> = { id: 1, at: new Date('2026-11-22T06:00:00Z'), ended_at: null }
  expectTypeOf(row).toEqualTypeOf<{ id: number; at: Date; ended_at: Date | null }>()
  const json: Json = datesToText(row)
  expect(json).toEqual(JSON.parse(JSON.stringify(row)))
})
