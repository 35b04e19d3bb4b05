import { expect, test } from 'vitest'
import { withoutTracking } from './tracking-parameters.ts'

test.each([
  ['/', '/'],
  ['/?fbclid=IwAR0x', '/'],
  ['/beef?utm_source=facebook&utm_medium=cpc', '/beef'],
  ['/beef?fbclid=x&sort=price-asc', '/beef?sort=price-asc'],
  ['/beef?sort=price-asc&fbclid=x&page=2', '/beef?sort=price-asc&page=2'],
  ['/search?q=mango&gclid=', '/search?q=mango'],
  ['/search?q=fbclid%3Dx', '/search?q=fbclid%3Dx'],
  ['/search?xfbclid=1&my_utm_source=2', '/search?xfbclid=1&my_utm_source=2'],
  ['/search?', '/search?'],
])('%s is %s', (url, expected) => {
  expect(withoutTracking(url)).toBe(expected)
})
