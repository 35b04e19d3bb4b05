// @vitest-environment happy-dom
import { expect, it } from 'vitest'
import { poisha } from '#lib/format/money.ts'
import { renderInPage } from '../admin/ui/testing.tsx'
import { getSaleState, newSale, type Sale } from './sale.ts'
import { PosBar } from './sale-summary.tsx'

const LINE = { id: 1, name: 'Mango', unit: 'kg', price: poisha(14_500), quantity: '1', image: null, isAnimal: false } as const
const SHOP = {
  areas: [],
  roundsCash: false,
  walkInSales: false,
  days: { cutoffHour: 21, calendar: { daysAhead: 3, closedWeekdays: [], fullDays: {} }, isCollectionOffered: true },
}

/** The text of the bar on a phone, for a sale of ৳145. */
function bar(changes: Partial<Sale>): string {
  const sale: Sale = { ...newSale(), lines: [{ ...LINE, group: 'produce', shipping: poisha(0) }], phone: '01712345678', ...changes }
  const state = getSaleState(sale, SHOP)
  const { container } = renderInPage(<PosBar count={1} state={state} busy={false} onSubmit={() => {}} onProblem={() => {}} />)
  return container.textContent
}

it.each([
  [{ cash: '100' }, '৳45 due'],
  [{ bkash: '200' }, 'Change comes from cash only'],
  [{ nagad: '20', nagadId: 'NG1' }, 'Check the transaction ID'],
  [{ phone: '' }, 'Enter the customer’s phone'],
] as const)('the bar on a phone says why %j cannot be placed', (changes, text) => {
  expect(bar(changes)).toContain(text)
  expect(bar(changes)).toContain('Next')
})

it('the bar on a phone has no text where nothing is missing, or nothing was begun', () => {
  expect(bar({})).toBe('Items1Total৳145Change৳0Place Order')
  expect(bar({ lines: [] })).toBe('Items1Total৳0Change৳0Place Order')
})
