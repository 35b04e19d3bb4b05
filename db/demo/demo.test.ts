import { describe, expect, test } from 'vitest'
import { animalRow, weighInsOf } from './animal-rows.ts'
import { ownBarcode } from './barcodes.ts'
import { CATTLE } from './cattle.ts'
import { liveWeightPriceTaka } from './categories.ts'
import { POLICIES } from './policies.ts'
import { PRODUCE } from './produce.ts'
import { produceRow } from './produce-rows.ts'
import { SLOTS } from './home-page.ts'

const TODAY = '2026-03-01'
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

  test.each([2, 3, 4])('every status and both kinds of discount in category %i', (categoryId) => {
    const here = rows.filter((row) => row.category_id === categoryId)
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
    for (const { row } of goods) expect(row.stock_milli === 0).toBe(row.status === 'out-of-stock' || row.status === 'sold')
  })
})

describe('animals', () => {
  test('cost their weight times the rate of their tier', () => {
    expect(liveWeightPriceTaka(4, 200)).toBe(110_000)
    expect(liveWeightPriceTaka(4, 250)).toBe(137_500)
    expect(liveWeightPriceTaka(4, 251)).toBe(135_540)
    expect(liveWeightPriceTaka(4, 301)).toBe(159_530)
    expect(liveWeightPriceTaka(4, 351)).toBe(184_275)
    expect(liveWeightPriceTaka(2, 150)).toBe(78_000)
    for (const { animal, row } of animals)
      expect(row.price_poisha).toBe(liveWeightPriceTaka(animal.categoryId, row.weight_grams / 1000) * 100)
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

  test('for Kurbani are old enough', () => {
    for (const { animal } of animals.filter((one) => one.animal.categoryId === 4)) expect(animal.teeth).toBeGreaterThanOrEqual(2)
  })
})

test('barcodes have a valid check digit', () => {
  expect(ownBarcode(101)).toMatch(/^20\d{11}$/)
  const isValid = (code: string) => [...code].reduce((sum, digit, i) => sum + Number(digit) * (i % 2 ? 3 : 1), 0) % 10 === 0
  for (const { barcode } of rows) expect(isValid(barcode), barcode).toBe(true)
})

test('slots name existing products, and exactly one slot has nothing to order', () => {
  const statusOf = new Map<string, string>([
    ...CATTLE.map((a) => [a.tag, a.status] as const),
    ...PRODUCE.map((p) => [p.art, p.status] as const),
  ])
  const isOpen = SLOTS.map(({ shows }) =>
    shows.some((key) => {
      expect(statusOf.has(key), key).toBe(true)
      return ['in-stock', 'pre-book'].includes(statusOf.get(key)!)
    }),
  )
  expect(isOpen.filter((open) => !open)).toHaveLength(1)
})
