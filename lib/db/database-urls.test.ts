import { expect, it } from 'vitest'
import { urlsOfHosts } from './database-urls.ts'

it.each([
  ['postgresql://u:p@a:5432/shop', ['postgresql://u:p@a:5432/shop']],
  [
    'postgresql://u:p@a:5432,b:5433/shop?sslmode=require',
    ['postgresql://u:p@a:5432/shop?sslmode=require', 'postgresql://u:p@b:5433/shop?sslmode=require'],
  ],
  ['postgres://a,b,c/shop', ['postgres://a/shop', 'postgres://b/shop', 'postgres://c/shop']],
  ['postgresql://u:p,q@a/shop', ['postgresql://u:p,q@a/shop']],
  ['postgresql://u@[::1]:5432,[::2]/shop', ['postgresql://u@[::1]:5432/shop', 'postgresql://u@[::2]/shop']],
  ['postgresql://u:p@/shop?host=/run/postgresql', ['postgresql://u:p@/shop?host=/run/postgresql']],
])('%s', (url, urls) => expect(urlsOfHosts(url)).toEqual(urls))
