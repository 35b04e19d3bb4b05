import { describe, expect, test } from 'vitest'
import { type DeliveryCalendar, planDelivery } from './delivery-day-rules.ts'

const LIST_DAY = '2026-11-25' // a Wednesday
const mango = { deliveryGroup: 'produce', deliveryOn: null } as const
const late = { deliveryGroup: 'produce', deliveryOn: '2026-12-01' } as const
const cow = { deliveryGroup: 'cattle', deliveryOn: null } as const

const calendar = (part: Partial<DeliveryCalendar> = {}): DeliveryCalendar => ({ daysAhead: 7, closedWeekdays: [], fullDays: {}, ...part })
const FRIDAY = 5

type Row = [
  name: string,
  calendar: DeliveryCalendar | undefined,
  choice: Parameters<typeof planDelivery>[1],
  products: Parameters<typeof planDelivery>[2],
  plan: Partial<ReturnType<typeof planDelivery>>,
]

/** The weekdays on which an area is served, by the calendar of the shop. */
describe('an area with closed weekdays', () => {
  const plan = (choice: Parameters<typeof planDelivery>[1], days: Partial<DeliveryCalendar> = {}, closedWeekdays = [3, 4, 5]) =>
    planDelivery({ listOn: LIST_DAY, calendar: calendar(days), area: { closedWeekdays } }, choice, [mango])

  test('leaves out its weekdays beside those of the shop', () => {
    expect(plan({})).toMatchObject({ listOn: '2026-11-28', days: ['2026-11-28', '2026-11-29', '2026-11-30', '2026-12-01'] })
    expect(plan({}, { closedWeekdays: [6] }).days).toEqual(['2026-11-29', '2026-11-30', '2026-12-01'])
    expect(plan({ deliveryOn: '2026-11-27' }).isImpossible).toBe(true)
    expect(plan({ deliveryOn: '2026-11-28' }).isImpossible).toBe(false)
  })
  test('has no say in a collection', () => {
    expect(plan({ isCollection: true, deliveryOn: '2026-11-27' })).toMatchObject({ isImpossible: false, deliverOn: '2026-11-27' })
  })
  test('with the shop open on its closed days only has no possible day', () => {
    expect(plan({}, { closedWeekdays: [0, 1, 2, 6] })).toMatchObject({ days: [], isImpossible: true })
  })
  test('offers two deliveries only where the second has a possible day', () => {
    const two = (closedWeekdays: number[]) =>
      planDelivery({ listOn: LIST_DAY, calendar: calendar(), area: { closedWeekdays } }, { deliveries: 2 }, [mango, late]).splitDates
    expect(two([3])).toEqual(['2026-11-26', '2026-12-01'])
    expect(two([2])).toBeNull()
  })
})

/** Animals of Kurbani come before Eid. */
describe('the last day of the season', () => {
  const kurbani = { deliveryGroup: 'cattle', deliveryOn: '2026-11-27', isKurbani: true } as const
  const plan = (products: Parameters<typeof planDelivery>[2], days: Partial<DeliveryCalendar> = {}, choice = {}) =>
    planDelivery({ listOn: LIST_DAY, calendar: calendar({ kurbaniUntil: '2026-11-29', ...days }) }, choice, products)

  test('ends the days of its animals, and of no others', () => {
    expect(plan([kurbani]).days).toEqual(['2026-11-27', '2026-11-28', '2026-11-29'])
    expect(plan([kurbani, mango]).days).toEqual(['2026-11-27', '2026-11-28', '2026-11-29'])
    expect(plan([cow]).days).toHaveLength(7)
    expect(plan([kurbani], {}, { deliveryOn: '2026-11-30' }).isImpossible).toBe(true)
    expect(plan([kurbani], {}, { deliveryOn: '2026-11-30', isCollection: true }).isImpossible).toBe(true)
  })
  test('leaves no day when those before it are full: the animal does not come after Eid', () => {
    expect(plan([kurbani], { fullDays: { cattle: ['2026-11-27', '2026-11-28', '2026-11-29'] } })).toMatchObject({
      days: [],
      isImpossible: true,
    })
  })
  test('leaves no day from the cut-off before it on, with and without other products', () => {
    const days = { kurbaniUntil: '2026-11-24' }
    const own = { ...kurbani, deliveryOn: '2026-11-24' } as const
    for (const animal of [own, { ...kurbani, deliveryOn: null } as const])
      for (const others of [[], [mango], [late]])
        expect(plan([animal, ...others], days)).toMatchObject({ deliveries: 1, days: [], splitDates: null, isImpossible: true })
    expect(plan([own], days, { isCollection: true })).toMatchObject({ days: [], isImpossible: true })
    expect(plan([kurbani, mango], days)).toMatchObject({ deliverOn: '2026-11-27', isImpossible: false })
  })
  test('does not hold back what comes later by its own date', () => {
    expect(plan([{ ...kurbani, deliveryOn: '2026-12-01' }]).deliverOn).toBe('2026-12-01')
    expect(plan([{ ...kurbani, deliveryOn: '2026-11-30' }, late])).toMatchObject({ deliveries: 1, deliverOn: '2026-12-01' })
  })
  test('makes two deliveries: the animal does not wait until after Eid for what comes later', () => {
    const two = { deliveries: 2, isSplitOnly: true, days: ['2026-11-27', '2026-11-28', '2026-11-29'] } as const
    for (const deliveries of [1, 2])
      expect(plan([kurbani, late], {}, { deliveries })).toMatchObject({
        ...two,
        splitDates: ['2026-11-27', '2026-12-01'],
        isImpossible: false,
      })
    expect(plan([kurbani, late], {}, { deliveryOn: '2026-11-29' })).toMatchObject({ ...two, splitDates: ['2026-11-29', '2026-12-01'] })
    expect(plan([kurbani, late], {}, { deliveryOn: '2026-11-30' }).isImpossible).toBe(true)
    const full = { fullDays: { cattle: ['2026-11-27', '2026-11-28', '2026-11-29'] } }
    expect(plan([kurbani, late], full)).toMatchObject({ days: [], isImpossible: true })
  })
  test('makes what is ready before the animal wait for it, so that it does not come after Eid with what is ready later', () => {
    const days = ['2026-11-27', '2026-11-28', '2026-11-29']
    const two = { deliveries: 2, isSplitOnly: true, days, isImpossible: false } as const
    for (const deliveries of [1, 2])
      expect(plan([mango, kurbani, late], {}, { deliveries })).toMatchObject({
        ...two,
        listOn: '2026-11-27',
        splitDates: ['2026-11-27', '2026-12-01'],
      })
    const second = { ...kurbani, deliveryOn: '2026-11-28' } as const
    expect(plan([kurbani, second, late])).toMatchObject({ ...two, days: days.slice(1), listOn: '2026-11-28' })
    expect(plan([mango, kurbani, late], {}, { deliveryOn: '2026-11-29' })).toMatchObject({ ...two, listOn: '2026-11-29' })
    const ofNextYear = { ...kurbani, deliveryOn: '2026-11-30' } as const
    expect(plan([mango, kurbani, ofNextYear, late])).toMatchObject({ ...two, listOn: '2026-11-27' })
  })
  test('leaves no day of collection for an animal that would wait until after Eid', () => {
    expect(plan([kurbani, late], {}, { isCollection: true })).toMatchObject({ days: [], isImpossible: true })
    expect(plan([kurbani, mango], {}, { isCollection: true })).toMatchObject({ deliverOn: '2026-11-27', isImpossible: false })
  })
})

const ROWS: Row[] = [
  ['no calendar: the list day', undefined, {}, [mango], { listOn: LIST_DAY, deliverOn: LIST_DAY, isImpossible: false }],
  ['no calendar: any day may be chosen only from the calendar', undefined, { deliveryOn: '2026-11-27' }, [mango], { isImpossible: true }],
  ['no choice: the earliest day, stored as the list day', calendar(), {}, [late], { listOn: LIST_DAY, deliverOn: '2026-12-01' }],
  ['a chosen day is stored', calendar(), { deliveryOn: '2026-11-27' }, [mango], { listOn: '2026-11-27', deliverOn: '2026-11-27' }],
  ['the earliest day as a choice is stored', calendar(), { deliveryOn: '2026-12-01' }, [late], { listOn: '2026-12-01' }],
  ['a day before the goods are ready', calendar(), { deliveryOn: '2026-11-30' }, [late], { isImpossible: true, deliverOn: '2026-12-01' }],
  ['a day beyond the last one', calendar(), { deliveryOn: '2026-12-02' }, [mango], { isImpossible: true }],
  ['the last day', calendar(), { deliveryOn: '2026-12-01' }, [mango], { isImpossible: false, deliverOn: '2026-12-01' }],
  [
    'a closed earliest day moves the order',
    calendar({ closedWeekdays: [3, 4] }),
    {},
    [mango],
    { listOn: '2026-11-27', deliverOn: '2026-11-27', days: ['2026-11-27', '2026-11-28', '2026-11-29', '2026-11-30', '2026-12-01'] },
  ],
  ['a closed chosen day', calendar({ closedWeekdays: [FRIDAY] }), { deliveryOn: '2026-11-27' }, [mango], { isImpossible: true }],
  ['a full day of the group', calendar({ fullDays: { produce: [LIST_DAY] } }), {}, [mango], { deliverOn: '2026-11-26' }],
  ['a full day of the other group', calendar({ fullDays: { cattle: [LIST_DAY] } }), {}, [mango], { deliverOn: LIST_DAY }],
  ['a full day of one of two groups', calendar({ fullDays: { cattle: [LIST_DAY] } }), {}, [mango, cow], { deliverOn: '2026-11-26' }],
  [
    'collection takes no place of a full day',
    calendar({ fullDays: { produce: [LIST_DAY] } }),
    { isCollection: true },
    [mango],
    { deliverOn: LIST_DAY },
  ],
  ['collection on a closed day', calendar({ closedWeekdays: [3] }), { isCollection: true }, [mango], { deliverOn: '2026-11-26' }],
  ['collection is one delivery', calendar(), { isCollection: true, deliveries: 2 }, [mango, late], { deliveries: 1, splitDates: null }],
  [
    'two deliveries: the day is that of the first',
    calendar(),
    { deliveries: 2, deliveryOn: '2026-11-28' },
    [mango, late],
    { deliveries: 2, listOn: '2026-11-28', deliverOn: '2026-12-01', splitDates: ['2026-11-28', '2026-12-01'] },
  ],
  [
    'two deliveries: the first before the last',
    calendar(),
    { deliveries: 2, deliveryOn: '2026-12-01' },
    [mango, late],
    { isImpossible: true },
  ],
  [
    'two deliveries are not offered when the last day is closed',
    calendar({ closedWeekdays: [2] }),
    { deliveries: 2 },
    [mango, late],
    { deliveries: 1, splitDates: null, deliverOn: '2026-12-02' },
  ],
  [
    'no day is left',
    calendar({
      fullDays: { produce: Array.from({ length: 40 }, (_, n) => new Date(Date.UTC(2026, 10, 25 + n)).toISOString().slice(0, 10)) },
    }),
    {},
    [mango],
    { isImpossible: true, days: [] },
  ],
]

describe('planDelivery', () => {
  test.each(ROWS)('%s', (_, days, choice, products, plan) => {
    expect(planDelivery({ listOn: LIST_DAY, ...(days ? { calendar: days } : {}) }, choice, products)).toMatchObject(plan)
  })
})
