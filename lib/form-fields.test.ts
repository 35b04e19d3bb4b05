import { expect, it } from 'vitest'
import { dayField, momentField, wholeField } from './form-fields.ts'

const read = (typed: unknown) => wholeField(0, 1_000_000).safeParse(typed)

it.each([
  ['10000', 10_000],
  ['10,000', 10_000],
  ['১০,০০০', 10_000],
  ['1,00,000', 100_000],
  [' 7 ', 7],
  [12, 12],
])('the whole number %s', (typed, value) => {
  expect(read(typed)).toEqual({ success: true, data: value })
})

it.each(['-7', '−7', '−৭'])('the whole number below zero %s', (typed) => {
  expect(wholeField(-10, 10).safeParse(typed)).toEqual({ success: true, data: -7 })
})

it.each(['', '1,0', '10,00', ',100', '1,0000', '1.5', '1,000,0', '2,000,000', '-1,000', 'x', '1e3'])(
  'no whole number up to a million: %s',
  (typed) => {
    expect(read(typed).success).toBe(false)
  },
)

it.each([
  ['2026-11-29', null],
  ['0026-11-29', 'field.year'],
  ['2126-11-29', 'field.year'],
  ['2026-02-30', 'field.day'],
  ['', 'field.day'],
])('the day %s: %s', (typed, error) => {
  expect(dayField().safeParse(typed).error?.issues[0]?.message ?? null).toBe(error)
})

it.each([
  ['2026-11-29T09:30', null],
  ['2999-12-31T23:59', null],
  ['0026-11-29T09:30', 'field.year'],
  ['2026-11-29', 'field.moment'],
  ['', 'field.required'],
])('the moment %s: %s', (typed, error) => {
  expect(momentField().safeParse(typed).error?.issues[0]?.message ?? null).toBe(error)
})
