import { describe, expect, test } from 'vitest'
import { animalRow, weighInsOf } from './animal-rows.ts'
import { ownBarcode } from './barcodes.ts'
import { CATTLE } from './cattle.ts'
import { taka } from '#lib/format/money.ts'
import { animalPrice } from './categories.ts'
import { POLICIES } from './policies.ts'
import { PRODUCE } from './produce.ts'
import { produceRow } from './produce-rows.ts'
import { COUPONS } from './coupons.ts'
import { FRUITS } from './fruits.ts'
import { offerOn } from './harvest.ts'
import { posFavouritesOn, slotsOn } from './home-page.ts'
import { ORDERS } from './orders.ts'
import { kurbaniDays } from './settings.ts'

const TODAY = '2026-03-01'
/** Four days of every month. */
const DAYS = Array.from({ length: 48 }, (_, i) => `2027-${String(1 + (i >> 2)).padStart(2, '0')}-${['01', '10', '19', '28'][i % 4]}`)
const animals = CATTLE.map((animal, i) => ({ animal, row: animalRow(animal, i, TODAY), weighIns: weighInsOf(animal, i, TODAY) }))
const goods = PRODUCE.map((item, i) => ({ item, row: produceRow(item, i, TODAY) }))
const rows = [...animals, ...goods].map(({ row }) => row)

describe('products', () => {
  test('24 Kurbani cows, 16 beef cattle, 20 other things, sugarcane among them', () => {
    expect(CATTLE.filter((animal) => animal.categoryId === 4).length).toBeGreaterThanOrEqual(24)
    expect(CATTLE.filter((animal) => animal.categoryId === 2).length).toBeGreaterThanOrEqual(16)
    expect(PRODUCE.length).toBeGreaterThanOrEqual(20)
    expect(PRODUCE.some((item) => item.categoryId === 5)).toBe(true)
  })

  test.each([2, 3, 4])('every status, in the weeks before the mangoes, and both kinds of discount in category %i', (categoryId) => {
    const produce = PRODUCE.map((item, i) => produceRow(item, i, '2026-05-01'))
    const here = [...animals.map(({ row }) => row), ...produce].filter((row) => row.category_id === categoryId)
    expect(new Set(here.map((row) => row.status))).toEqual(new Set(['in-stock', 'pre-book', 'hold', 'out-of-stock', 'sold']))
    expect(new Set(here.map((row) => row.discount_kind).filter(Boolean))).toEqual(new Set(['percentage', 'fixed']))
  })

  test('tags, product names and barcodes are unique', () => {
    const tags = CATTLE.map((animal) => animal.tag)
    expect(new Set(tags).size).toBe(tags.length)
    const names = goods.map(({ row }) => row.name_en)
    expect(new Set(names).size).toBe(names.length)
    const barcodes = rows.map((row) => row.barcode)
    expect(new Set(barcodes).size).toBe(barcodes.length)
  })

  test('every text exists in both languages, each in its own script', () => {
    for (const row of rows) {
      for (const text of [row.name_bn, row.description_bn]) expect(text).toMatch(/[\u0980-\u09ff]/)
      for (const text of [row.name_en, row.description_en]) expect(text).toMatch(/^[^\u0980-\u09ff]+$/)
      expect(row.note_en === '').toBe(row.note_bn === '')
    }
    for (const { title, body } of POLICIES) {
      expect(body.en).toMatch(/^[^\u0980-\u09ff]+$/)
      expect(title.bn + body.bn).not.toMatch(/[a-z]/)
      expect(body.bn.split('\n').map((line) => line.slice(0, 2) === '##' || line[0] === '-')).toEqual(
        body.en.split('\n').map((line) => line.slice(0, 2) === '##' || line[0] === '-'),
      )
    }
  })

  test('products without stock are not offered', () => {
    for (const today of DAYS)
      for (const [i, item] of PRODUCE.entries()) {
        const row = produceRow(item, i, today)
        expect(row.stock_milli === 0, `${item.art} on ${today}`).toBe(row.status === 'out-of-stock')
      }
  })
})

describe('animals', () => {
  test('cost their weight times the rate of their tier', () => {
    expect(animalPrice(4, 200)).toBe(taka(110_000))
    expect(animalPrice(4, 250)).toBe(taka(137_500))
    expect(animalPrice(4, 251)).toBe(taka(135_540))
    expect(animalPrice(4, 301)).toBe(taka(159_530))
    expect(animalPrice(4, 351)).toBe(taka(184_275))
    expect(animalPrice(2, 150)).toBe(taka(78_000))
    for (const { animal, row } of animals) expect(row.price_poisha).toBe(animalPrice(animal.categoryId, row.weight_grams / 1000))
  })

  test('for Kurbani match one of the weight filters', () => {
    const chips = [
      [110_000, 137_500],
      [135_540, 162_000],
      [159_530, 185_500],
      [184_275, Infinity],
    ] as const
    for (const { row } of animals.filter(({ animal }) => animal.categoryId === 4)) {
      const taka = row.price_poisha / 100
      expect(
        chips.some(([from, to]) => taka >= from && taka <= to),
        `${row.tag_number} at ${taka}`,
      ).toBe(true)
    }
  })

  test('have three to six weigh-ins in date order, none in the future, the last at the present weight', () => {
    for (const { row, weighIns } of animals) {
      expect(weighIns.length).toBeGreaterThanOrEqual(3)
      expect(weighIns.length).toBeLessThanOrEqual(6)
      const days = weighIns.map((weighIn) => weighIn.weighed_on)
      expect(days).toEqual(days.toSorted())
      expect(new Set(days).size).toBe(days.length)
      expect(weighIns.at(-1)).toMatchObject({ grams: row.weight_grams, weighed_on: row.weighed_on })
      expect(days.at(-1)! <= TODAY).toBe(true)
      expect(weighIns.every((weighIn, i) => i === 0 || weighIn.grams >= weighIns[i - 1]!.grams)).toBe(true)
    }
  })

  test.each([
    ['2026-11-25', '2027-05-12', '2027-05-16'],
    ['2027-05-02', '2027-05-12', '2027-05-16'],
    ['2027-05-03', '2028-05-01', '2028-05-05'],
    ['2041-01-01', '2041-01-21', '2041-01-25'],
  ])('of a demo made on %s are delivered from %s to %s', (today, deliveryFrom, deliveryTo) => {
    expect(kurbaniDays(today)).toMatchObject({ deliveryFrom, deliveryTo })
    const days = CATTLE.flatMap((animal, i) => (animal.categoryId === 4 ? (animalRow(animal, i, today).delivery_on ?? []) : []))
    expect(new Set(days).size).toBe(5)
    for (const day of days) expect(day >= deliveryFrom && day <= deliveryTo, day).toBe(true)
  })

  test('for Kurbani are old enough', () => {
    for (const { animal } of animals.filter((one) => one.animal.categoryId === 4)) expect(animal.teeth).toBeGreaterThanOrEqual(2)
  })
})

test('barcodes have a valid check digit', () => {
  expect(ownBarcode(101)).toMatch(/^20\d{11}$/)
  const isValid = (code: string) => [...code].reduce((sum, digit, i) => sum + Number(digit) * (i % 2 ? 3 : 1), 0) % 10 === 0
  for (const { barcode } of rows) expect(isValid(barcode), barcode).toBe(true)
})

describe('produce by its season', () => {
  const statusOn = (art: string, today: string) =>
    offerOn(
      PRODUCE.find((item) => item.art === art)!,
      today,
    ).status

  test.each([
    ['himsagar', '2027-05-25', 'in-stock', '2027-05-27'],
    ['himsagar', '2027-06-30', 'in-stock', '2027-07-02'],
    ['himsagar', '2027-07-01', 'out-of-stock', null],
    ['himsagar', '2027-04-10', 'pre-book', '2027-05-27'],
    ['himsagar', '2027-04-09', 'hold', '2027-05-27'],
    ['himsagar', '2027-03-10', 'out-of-stock', null],
    ['malta', '2026-12-31', 'in-stock', '2027-01-01'],
    ['malta', '2027-01-31', 'in-stock', '2027-02-01'],
    ['malta', '2027-02-01', 'out-of-stock', null],
    ['carrot', '2026-11-25', 'pre-book', '2026-12-02'],
    ['gopalbhog', '2027-06-01', 'sold', null],
    ['guava', '2027-02-28', 'in-stock', '2027-03-01'],
  ])('%s on %s is %s, delivered on %s', (art, today, status, deliveryOn) => {
    expect(
      offerOn(
        PRODUCE.find((item) => item.art === art)!,
        today,
      ),
    ).toEqual({ status, deliveryOn })
  })

  test.each(DAYS)('on %s six fruits are in stock, and coupons, past orders and POS buttons name what is sold', (today) => {
    expect(FRUITS.filter((fruit) => offerOn(fruit, today).status === 'in-stock').length).toBeGreaterThanOrEqual(6)
    const named = [...COUPONS.flatMap(({ products = [] }) => products), ...posFavouritesOn(today)]
    for (const art of named) expect(statusOn(art, today), art).toBe('in-stock')
  })

  test('past orders have produce of all year', () => {
    const arts = ORDERS.flatMap(({ lines }) => lines.map(([key]) => key)).filter((key) => PRODUCE.some(({ art }) => art === key))
    for (const art of arts)
      expect(
        PRODUCE.find((item) => item.art === art),
        art,
      ).not.toHaveProperty('harvest')
  })

  test.each(DAYS)('the sections on %s: fresh fruit can be ordered, and exactly one section has nothing to order', (today) => {
    const statuses = new Map<string, string>([
      ...CATTLE.map(({ tag, status }) => [tag, status] as const),
      ...PRODUCE.map((item) => [item.art, offerOn(item, today).status] as const),
    ])
    const sections = slotsOn(today).map(({ name, shows }) => ({ name: name.en, statuses: shows.map((key) => statuses.get(key)) }))
    for (const section of sections) expect(section.statuses).not.toContain(undefined)
    const canOrder = (status: string | undefined) => status === 'in-stock' || status === 'pre-book'
    const fresh = sections.find(({ name }) => name === 'Fresh this week')!.statuses
    expect(fresh.length).toBeGreaterThanOrEqual(6)
    expect(fresh.every(canOrder)).toBe(true)
    expect(sections.filter(({ statuses: all }) => !all.some(canOrder)).map(({ name }) => name)).toEqual(['Back next season'])
  })
})
