import { expect, it } from 'vitest'
import { isAdminOrItsApi, isAdminPath } from './admin-path-rules.ts'

it.each([
  ['/admin', true, true],
  ['/admin?page=2', true, true],
  ['/admin/orders', true, true],
  ['/api/admin/news', false, true],
  ['/administrator', false, false],
  ['/api/administrator', false, false],
  ['/product/1?next=/admin', false, false],
])('%s: page %s, page or API %s', (path, isPage, isAny) => {
  expect([isAdminPath(path), isAdminOrItsApi(path)]).toEqual([isPage, isAny])
})

it('a page without an address is none of the admin', () => {
  expect(isAdminPath(null)).toBe(false)
})
