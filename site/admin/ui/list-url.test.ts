import { expect, test } from 'vitest'
import { listUrl } from './list-url.ts'

const origin = 'https://khamar.example'
const from = (referrer: string, stored: string | null = null) => listUrl('/admin/orders', { referrer, stored, origin })

test.each([
  ['opened from the list', `${origin}/admin/orders?status=placed&after=1.2`, null, '/admin/orders?status=placed&after=1.2'],
  ['the list it came from counts more than the list seen last', `${origin}/admin/orders?q=a`, '?q=b', '/admin/orders?q=a'],
  ['opened from the bare list', `${origin}/admin/orders`, '?q=b', '/admin/orders'],
  ['opened from elsewhere', `${origin}/admin/customers/3`, '?q=b', '/admin/orders?q=b'],
  ['opened from another site', 'https://evil.example/admin/orders?q=evil', '?q=b', '/admin/orders?q=b'],
  ['opened from nowhere', '', null, '/admin/orders'],
  ['a Bengali search', '', '?q=রহিমা', '/admin/orders?q=%E0%A6%B0%E0%A6%B9%E0%A6%BF%E0%A6%AE%E0%A6%BE'],
])('%s', (_name, referrer, stored, href) => {
  expect(from(referrer, stored)).toBe(href)
})

test.each([
  '//evil.example',
  '/../../logout',
  '@evil.example/',
  '\\evil',
  'javascript:alert(1)',
  '?q=\\',
  '?q=\n',
  `?q=${'x'.repeat(600)}`,
  ' ?q=1',
  '#x',
])('a stored value %j that is no query leads to the bare list', (stored) => {
  expect(from('', stored)).toBe('/admin/orders')
})
