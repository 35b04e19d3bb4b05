import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { localPath } from './local-path.ts'

const SHOP = 'https://shop.example'

describe('a path for a redirect', () => {
  it.each([
    ['/cart', '/cart'],
    ['/', '/'],
    ['/search?q=গরু&page=2#top', '/search?q=%E0%A6%97%E0%A6%B0%E0%A7%81&page=2#top'],
    ['/a/../cart', '/cart'],
    ['/cart//evil.tld', '/cart//evil.tld'],
    ['/login?next=//evil.tld', '/login?next=//evil.tld'],
    ['/%5cevil', '/%5cevil'],
    ['/%2f/evil.tld', '/%2f/evil.tld'],
  ])('%j is %s', (requested, path) => expect(localPath(requested, null)).toBe(path))

  it.each([
    '/.//evil.tld',
    '/..//evil.tld',
    '/%2e//evil.tld',
    '/%2E//evil.tld',
    '/%2e%2e//evil.tld',
    '/.%2e//evil.tld',
    '/x/..//evil.tld',
    '/x/%2e%2e//evil.tld',
    '/././/evil.tld',
    '/a/b/../..//evil.tld',
    '/.///evil.tld',
    '/./\\evil.tld',
    '//evil.tld',
    '///evil.tld',
    '/\\evil.tld',
    '\\\\evil.tld',
    '/\t/evil.tld',
    '/\n/evil.tld',
    '/\r/evil.tld',
    '/.\t//evil.tld',
    ' //evil.tld',
    'https://evil.tld',
    'javascript:alert(1)',
    'evil.tld',
    '',
    `/${'x'.repeat(500)}`,
    ['/cart'],
    null,
    undefined,
  ])('%j is rejected', (requested) => expect(localPath(requested, null)).toBeNull())
})

it('the result is always a path of the shop for a browser, and is accepted again', () => {
  const piece = fc.constantFrom(
    '/',
    '//',
    '\\',
    '.',
    '..',
    '%2e',
    '%2E%2e',
    '%2f',
    '%5c',
    '\t',
    '\n',
    '\r',
    ' ',
    'x',
    '@',
    ':',
    '?',
    '#',
    'evil.tld',
  )
  const hostile = fc.array(piece, { maxLength: 12 }).map((pieces) => `/${pieces.join('')}`)
  fc.assert(
    fc.property(fc.oneof(hostile, fc.webUrl(), fc.string({ unit: 'binary' })), (requested) => {
      const path = localPath(requested, '/')
      expect(new URL(path, SHOP).origin).toBe(SHOP)
      expect(localPath(path, null)).toBe(path.length <= 500 ? path : null)
    }),
    { numRuns: 5000 },
  )
})
