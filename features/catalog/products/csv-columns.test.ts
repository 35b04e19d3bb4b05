import fc from 'fast-check'
import { parse } from 'csv-parse/sync'
import { describe, expect, it } from 'vitest'
import { csvLine } from '#lib/csv/csv.server.ts'
import { sanitizeText, isStorable } from '#lib/format/text.ts'
import { LANGS } from '#lib/i18n/lang.ts'
import { translate } from '#lib/i18n/translate.ts'
import '#messages/bn-admin.ts'
import '#messages/en-admin.ts'
import { unitName } from '#lib/format/numbers.ts'
import { PRODUCT_STATUSES } from '#features/catalog/rules.ts'
import { UNITS } from '#features/catalog/types.ts'
import { choiceOf, columnOf, CSV_COLUMNS, fromCell, toCell } from './csv-columns.ts'

const pieces = fc.constantFrom("'", '=', '+', '-', '@', '＝', '0', '123456789012', '9E12', '"', ',', ';', '\n', 'আম', ' ', 'x')
const text = fc
  .oneof(
    fc.string({ unit: 'grapheme' }),
    fc.array(pieces).map((parts) => parts.join('')),
    fc.constantFrom('01711223344', "'01711223344", '01711-223344'),
  )
  .filter(isStorable)
  .map(sanitizeText)

describe('a text', () => {
  it('is read back unchanged, with any first character', () => {
    fc.assert(
      fc.property(text, (typed) => {
        const [record] = parse(csvLine([toCell(typed), 1])) as string[][]
        expect(fromCell(record?.[0] ?? '')).toBe(typed)
      }),
      { numRuns: 2000 },
    )
  })
  it('is never a formula or a rounded number', () => {
    expect(['=1+1', '@SUM(A1)', '8941100000017', '01711223344', "'=x", 'mango'].map((one) => csvLine([toCell(one)]).trim())).toEqual([
      `"'=1+1"`,
      `"'@SUM(A1)"`,
      `"'8941100000017"`,
      `"'01711223344"`,
      `"''=x"`,
      '"mango"',
    ])
  })
})

describe('headings', () => {
  it.each(
    CSV_COLUMNS.flatMap(({ key, en, bn, formerly = [] }) =>
      [key, en, bn, ...formerly, ` ${en.toUpperCase()} `].map((heading) => [heading, key]),
    ),
  )('%s is %s', (heading, key) => {
    expect(columnOf(heading)?.key).toBe(key)
  })
  it('are unique', () => {
    for (const lang of ['key', 'en', 'bn'] as const)
      expect(new Set(CSV_COLUMNS.map((column) => column[lang])).size).toBe(CSV_COLUMNS.length)
    const former = CSV_COLUMNS.flatMap(({ formerly = [] }) => formerly)
    expect(former.filter((heading) => CSV_COLUMNS.some(({ key, en, bn }) => [key, en, bn].includes(heading)))).toEqual([])
  })
})

it('words of a choice are recognized by key and in both languages', () => {
  const status = CSV_COLUMNS.find(({ key }) => key === 'status')!.choices!
  expect(['in-stock', 'In stock', 'স্টকে আছে', 'gone'].map((word) => choiceOf(status, word))).toEqual([
    'in-stock',
    'in-stock',
    'in-stock',
    null,
  ])
})

it.each(LANGS)('the words of the product form are recognized (%s)', (lang) => {
  const t = translate(lang)
  const read = (column: string, words: [string, string][]) =>
    expect(words.map(([word]) => choiceOf(CSV_COLUMNS.find(({ key }) => key === column)!.choices!, word))).toEqual(
      words.map(([, key]) => key),
    )
  read(
    'unit',
    UNITS.map((unit) => [unitName(unit, lang), unit]),
  )
  read(
    'status',
    PRODUCT_STATUSES.map((status) => [t(`catalog.status.${status}`), status]),
  )
  read(
    'discount_kind',
    (['none', 'percentage', 'fixed'] as const).map((kind) => [t(`products.discount.${kind}`), kind]),
  )
})
