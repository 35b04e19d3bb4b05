import { describe, expect, it } from 'vitest'
import type { PosLine } from '#features/pos/rules.ts'
import { poisha, ZERO } from '#lib/format/money.ts'
import { type DisplayedSale, type DisplayMessage, IDLE, nextDisplay, readDisplayMessage, toDisplayedSale } from './display-rules.ts'

const money = { discount: ZERO, coupon: null, refund: ZERO, shipping: ZERO, total: ZERO, received: ZERO, change: ZERO }
const sale = (lineCount: number): DisplayedSale => ({ lines: [], lineCount, ...money })
const message = (kind: 'sale' | 'sold', tab: string, at: number, lineCount = 1): DisplayMessage => ({
  version: 1,
  kind,
  tab,
  at,
  sale: sale(lineCount),
})
const after = (...messages: Parameters<typeof nextDisplay>[1][]) => messages.reduce(nextDisplay, IDLE)
const closed = (tab: string): DisplayMessage => ({ version: 1, kind: 'closed', tab })

describe('nextDisplay', () => {
  it('shows a sale from its first line until it is empty', () => {
    expect(after(message('sale', 'a', 1, 0))).toEqual(IDLE)
    expect(after(message('sale', 'a', 1))).toMatchObject({ phase: 'sale', tab: 'a' })
    expect(after(message('sale', 'a', 1), message('sale', 'a', 2, 0))).toEqual(IDLE)
  })
  it('thanks until the next sale has a line, the page being closed and reloaded in between', () => {
    const sold = [message('sale', 'a', 1), message('sold', 'a', 2), closed('a'), message('sale', 'b', 3, 0)]
    expect(after(...sold)).toMatchObject({ phase: 'sold', tab: 'a' })
    expect(after(...sold, message('sale', 'b', 4))).toMatchObject({ phase: 'sale', tab: 'b' })
    expect(after(...sold, { kind: 'timeout' })).toEqual(IDLE)
  })
  it('a timeout does not end a sale', () => {
    expect(after(message('sale', 'a', 1), { kind: 'timeout' })).toMatchObject({ phase: 'sale' })
  })
  it('a POS page that is gone takes only its own sale along', () => {
    expect(after(message('sale', 'a', 1), closed('b'))).toMatchObject({ tab: 'a' })
    expect(after(message('sale', 'a', 1), closed('a'))).toEqual(IDLE)
  })
  it('of two POS pages shows the one that changed last, in whichever order they answer', () => {
    expect(after(message('sale', 'a', 1), message('sale', 'b', 5))).toMatchObject({ tab: 'b' })
    expect(after(message('sale', 'b', 5), message('sale', 'a', 1))).toMatchObject({ tab: 'b' })
    expect(after(message('sale', 'b', 5), message('sale', 'a', 6, 0))).toMatchObject({ tab: 'b' })
  })
  it('another display that opens changes nothing', () => {
    const shown = after(message('sale', 'a', 1))
    expect(nextDisplay(shown, { version: 1, kind: 'hello' })).toBe(shown)
  })
})

it.each([null, undefined, 'hello', 7, {}, { kind: 'sale' }, { version: 2, kind: 'hello' }])('%j is no message of this release', (data) =>
  expect(readDisplayMessage(data)).toBeNull(),
)

it('sends the newest thirty lines with their count; an unreadable quantity is zero', () => {
  const line = (id: number, quantity = '1.5') => ({ id, name: `Product ${id}`, unit: 'kg', price: poisha(10_000), quantity }) as PosLine
  const lines = [...Array.from({ length: 40 }, (_, id) => line(id)), line(40, '.')]
  const shown = toDisplayedSale(lines, {
    ...money,
    total: poisha(600_000),
    coupon: 'EID10',
    refund: poisha(5000),
    received: poisha(700_000),
    change: poisha(100_000),
  })
  expect(shown).toMatchObject({ lineCount: 41, total: 600_000, coupon: 'EID10', refund: 5000, received: 700_000, change: 100_000 })
  expect(shown.lines.map(({ id }) => id)).toEqual(Array.from({ length: 30 }, (_, at) => at + 11))
  expect(shown.lines.slice(-2)).toMatchObject([
    { quantityMilli: 1500, total: 15_000 },
    { quantityMilli: 0, total: 0 },
  ])
})
