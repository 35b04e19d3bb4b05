import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countsOf, LABEL_SIZES, labelsOnPage, layLabels, MAX_LABELS, MAX_COPIES } from './label-rules.ts'

test.each(LABEL_SIZES)('the labels of $key are inside the page', ({ page, label, columns, rows, margin, gap }) => {
  expect(margin[0] + columns * label[0] + (columns - 1) * gap).toBeLessThanOrEqual(page[0])
  expect(margin[1] + rows * label[1]).toBeLessThanOrEqual(page[1])
})

test('every label is placed once, after the used ones', () => {
  fc.assert(
    fc.property(fc.constantFrom(...LABEL_SIZES), fc.array(fc.nat(60), { maxLength: 8 }), fc.nat(40), (size, counts, used) => {
      const pages = layLabels(counts, size, used)
      const placed = pages.flat()
      counts.forEach((count, product) => expect(placed.filter((one) => one === product)).toHaveLength(count))
      const free = placed.filter((one) => one === null).length
      expect(free).toBe(pages.length === 0 ? 0 : Math.min(used, labelsOnPage(size) - 1))
      for (const page of pages) expect(page.length).toBeLessThanOrEqual(labelsOnPage(size))
    }),
  )
})

test('counts are whole numbers within limits', () => {
  expect(countsOf(['2', '', '-1', 'x', '1.5', ' 7 ', '999999'])).toEqual([2, 0, 0, 0, 0, 7, MAX_COPIES])
  expect(countsOf(Array.from({ length: 9 }, () => '500')).reduce((sum, count) => sum + count, 0)).toBe(MAX_LABELS)
})
