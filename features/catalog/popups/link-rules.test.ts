import { expect, it } from 'vitest'
import { isPopupLink } from './link-rules.ts'

it.each(['', '/', '/kurbani', '/beef?minPrice=78000#list', 'https://facebook.com/khamar'])('%j is fine', (link) => {
  expect(isPopupLink(link)).toBe(true)
})

it.each([
  'javascript:alert(1)',
  'JavaScript:alert(1)',
  ' javascript:alert(1)',
  'data:text/html,x',
  'http://example.com',
  '//example.com',
  '/\\example.com',
  '/\n/example.com',
  'https://',
  'https://a b',
  'https://khamar@evil.example',
  'kurbani',
  'https:/\\evil.example',
])('%j is not', (link) => {
  expect(isPopupLink(link)).toBe(false)
})
