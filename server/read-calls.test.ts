import { connect } from 'node:net'
import { afterAll, describe, expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { buildAnimal, buildCategory, buildImage, buildPopup, buildProduct } from '#test/factories.ts'
import { pageProps } from '#test/page-props.ts'
import { openShop } from '#test/request.ts'

// Lists, search and pages under odd queries, hostile names and heavy polling.

const { db, url, pool } = await testDb()
const shop = await openShop({ databaseUrl: url })
const kurbani = await buildCategory(db, { key: 'kurbani' })
const NAME = `' " & < > \u2028 </script><img src=x onerror=alert(1)> \${7*7} \\u003c`
const odd = await buildProduct(db, { name_en: NAME, name_bn: NAME, note_en: NAME, description_en: NAME, tag_number: null })
const percent = await buildProduct(db, { name_en: '100% pure_honey', name_bn: 'মধু' })
const cow = await buildAnimal(db, { category_id: kurbani.id })
const image = await buildImage(db)
await db.insertInto('product_media').values({ product_id: odd.id, position: 0, kind: 'image', image_id: image.id }).execute()
await buildPopup(db, { image_id: image.id, alt_en: NAME })
afterAll(() => expect(shop.failures).toEqual([]))

const names = (text: string) => (JSON.parse(text) as { name: string }[]).map((row) => row.name)

/** Long before cached answers expire, after 30 seconds. */
const AT_ONCE = { interval: 2, timeout: 15_000 }

describe('search', () => {
  const search = (q: string) => shop.get(`/api/product/search?q=${encodeURIComponent(q)}`)
  it.each([
    ['%%', []],
    ['__', []],
    ['0%', []],
    ['00%', [percent.name_en]],
    ['e_h', [percent.name_en]],
    ['\\\\', []],
    ['\\u', [NAME]],
    [`'; drop table products;--`, []],
    [`' or 1=1 --`, []],
    ['x'.repeat(5000), []],
    ['মধু'.normalize('NFD'), [percent.name_en]],
    ['🐄🐄', []],
    ['\u0000\u0000', []],
    ['a\u0000b', []],
    ['\u202emango', []],
    ['p', []],
    ['', []],
  ])('finds %j literally', async (q, found) => {
    const answer = await search(q)
    expect([answer.status, names(answer.text)]).toEqual([200, found])
  })
  it.each([
    '/api/product/search?q=a&q=b',
    '/api/product/search?q[]=a',
    '/api/product/search?q=%ED%A0%80',
    '/api/product/search?q=%ff%fe',
    '/api/product/search?q=%',
  ])('%s is refused or finds nothing', async (path) => {
    expect([200, 422]).toContain((await shop.get(path)).status)
  })
})

describe('queries that are wrong', () => {
  const lists = ['/api/products', '/api/kurbani-cows']
  const wrong = [
    'page=0',
    'page=-1',
    'page=1e9',
    'page=abc',
    'page=1.5',
    'page=99999999999999999999',
    'page=1&page=2',
    'sort=up',
    'search=a%00b',
    'sort=price;--',
    'sort=asc&sort=desc',
    'minPrice=abc',
    'minPrice=-1',
    'minPrice=NaN',
    'minPrice=1e9',
    'minPrice=Infinity',
    'minPrice=200&maxPrice=100',
    'maxPrice=100000001',
    'minPrice=1.001',
  ]
  it.each(lists.flatMap((list) => wrong.map((query) => [list, query])))('%s?%s: 422 that names the field', async (list, query) => {
    const answer = await shop.get(`${list}?${query}`)
    expect(answer.status).toBe(422)
    expect(answer.body.error).toBe(answer.body.message)
    expect(Object.keys(answer.body.errors ?? {})).toContain(query.split(/[=[]/)[0])
  })
  it.each([
    ['/api/products?page=abc', 'page', 'Enter a whole number within the allowed range.', 'সীমার মধ্যে একটি পূর্ণ সংখ্যা লিখুন।'],
    ['/api/products?page=9999999', 'page', 'Enter a whole number within the allowed range.', 'সীমার মধ্যে একটি পূর্ণ সংখ্যা লিখুন।'],
    ['/api/kurbani-cows?limit=101', 'limit', 'Enter a whole number within the allowed range.', 'সীমার মধ্যে একটি পূর্ণ সংখ্যা লিখুন।'],
    ['/api/products?page=1&page=2', 'page', 'Invalid value.', 'মানটি সঠিক নয়।'],
    ['/api/products?sort=up', 'sort', 'Choose an option.', 'একটি বেছে নিন।'],
    ['/api/kurbani-cows?status=gone', 'status', 'Choose an option.', 'একটি বেছে নিন।'],
    ['/api/areas?active=maybe', 'active', 'Choose an option.', 'একটি বেছে নিন।'],
    ['/api/products?minPrice=abc', 'minPrice', 'Enter an amount, e.g. 1500 or 150.50.', 'টাকার অঙ্ক লিখুন, যেমন ১৫০০ বা ১৫০.৫০।'],
    ['/api/products?maxPrice=100000001', 'maxPrice', 'Enter an amount, e.g. 1500 or 150.50.', 'টাকার অঙ্ক লিখুন, যেমন ১৫০০ বা ১৫০.৫০।'],
    [
      '/api/products?minPrice=2&maxPrice=1',
      'minPrice',
      'The minimum price can’t be above the maximum.',
      'সর্বনিম্ন দাম সর্বোচ্চ দামের বেশি হতে পারে না।',
    ],
    ['/api/products?category_name=cars', 'category_name', 'This category does not exist.', 'এমন কোনো বিভাগ নেই।'],
    [`/api/products?category_name=${'x'.repeat(101)}`, 'category_name', 'This text is too long.', 'লেখাটি বেশি লম্বা।'],
    ['/api/kurbani-cows?category=cars', 'category', 'This category does not exist.', 'এমন কোনো বিভাগ নেই।'],
    [
      '/api/product-status-update?productIds=a,b',
      'productIds',
      'Enter up to 200 product numbers, separated by commas.',
      'সর্বোচ্চ ২০০টি পণ্যের নম্বর দিন, মাঝে কমা দিয়ে।',
    ],
    ['/payments/status', 'order', 'This field is required.', 'এই ঘরটি পূরণ করুন।'],
  ])('%s says of %s what it must be, in the language of the reader', async (path, field, english, bengali) => {
    const json = { accept: 'application/json' }
    const answers = await Promise.all([shop.get(path, json), shop.get(path, { ...json, cookie: 'lang=bn' })])
    expect(answers.map((answer) => [answer.status, answer.body.errors?.[field]])).toEqual([
      [422, [english]],
      [422, [bengali]],
    ])
  })
  it.each([
    'minPrice',
    'maxPrice',
    'sort',
    'page',
    'status',
    'category_name',
    'category',
    'search',
    'limit',
    'lang',
    'productIds',
    'active',
  ])('an empty %s is none', async (name) => {
    for (const path of [...lists, '/api/product-status-update', '/api/areas']) {
      const [empty, none] = await Promise.all([shop.get(`${path}?${name}=`), shop.get(path)])
      expect([empty.status, empty.text], path).toEqual([200, none.text])
    }
  })
  it.each(wrong)('on a page /?%s falls back to the default', async (query) => {
    const answer = await shop.get(`/?${query}`, { accept: 'text/html' })
    expect([answer.status, answer.text.includes('<!doctype html>')]).toEqual([200, true])
  })
  it('a page beyond the end is empty, however far', async () => {
    const { status, text } = await shop.get('/api/products?page=1000000')
    const pagination = { total: 3, currentPage: 1_000_000 }
    expect([status, JSON.parse(text)]).toMatchObject([200, { products: [], pagination }])
  })
  it.each([
    ['2,000 ids', Array.from({ length: 2000 }, (_, index) => index).join()],
    ['201 ids', Array.from({ length: 201 }, (_, index) => index + 1).join()],
    ['words', 'a,b'],
    ['a number too large', '9'.repeat(16)],
    ['a fraction', '1.5'],
    ['NUL', '1%00'],
  ])('status of %s: 422', async (_name, ids) => {
    expect((await shop.get(`/api/product-status-update?productIds=${ids}`)).status).toBe(422)
  })
  it('status of 10,000 ids: an address that the server does not even read', async () => {
    const ids = Array.from({ length: 10_000 }, (_, index) => index).join()
    expect((await fetch(`${shop.url}/api/product-status-update?productIds=${ids}`)).status).toBe(431)
  })
  it.each([
    '/api/products/0',
    `/api/products/0${odd.id}`,
    '/api/products/abc',
    '/api/products/1%00',
    '/api/products/999999999999999',
    `/api/products/${'9'.repeat(39)}`,
    '/api/nothing',
    '/api/products/1/2',
  ])('%s: 404', async (path) => {
    const answer = await shop.get(path)
    expect([answer.status, answer.body.error]).toEqual([404, answer.body.message])
  })
  it.each([
    '/%',
    '/%E0%A4%A',
    '/..%2f..%2fetc%2fpasswd',
    '/uploads/..%2fsession-secret',
    '/uploads/%2e%2e/session-secret',
    '/assets/..%2f..%2fpackage.json',
    '/.vite/manifest.json',
    '/uploads/',
    '//evil.example',
    '/\\evil',
    `/${'a'.repeat(5000)}`,
    '/?lang=',
    '/?%00',
    `/?q=${'x'.repeat(7000)}`,
  ])('%s breaks nothing', async (path) => {
    const answer = await shop.get(path, { accept: 'text/html' })
    expect(answer.status).toBeLessThan(500)
    expect(answer.text).not.toMatch(/root:x:|"name": "khamar"|"isEntry"/)
  })
})

describe('hostile names', () => {
  it('stand as text on the page, and the mount element parses back to them', async () => {
    const { text } = await shop.get('/', { accept: 'text/html' })
    expect(text).not.toContain('<img src=x')
    const props = pageProps<{ listing: { products: { id: number; product_type: string; note: string }[] }; popup: { alt: string } }>(text)
    expect(props.listing.products.find((product) => product.id === odd.id)).toMatchObject({ product_type: NAME, note: NAME })
    expect(props.popup.alt).toBe(NAME)
  })
  it('pages carry a policy that no inlined script passes', async () => {
    const { headers } = await shop.get('/', { accept: 'text/html' })
    expect(headers['content-security-policy']).toMatch(/script-src 'self'( 'sha256-[^']+')*;/)
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'x-frame-options': 'DENY' })
  })
  it('a popup cannot link to a script', async () => {
    for (const link of ['javascript:alert(1)', '//evil.example', '/\\evil', 'http://evil.example', 'data:text/html,x']) {
      await expect(buildPopup(db, { image_id: image.id, link })).rejects.toThrow(/popups_link_check/)
    }
  })
})

describe('polling', () => {
  const path = `/api/product-status-update?productIds=${odd.id},${cow.id}`
  it('answers 304 to who has it, and asks the database once for a thousand polls', async () => {
    const { headers } = await shop.get(path)
    let asked = 0
    const count = () => void (asked += 1)
    pool.on('acquire', count)
    shop.deps.pool.on('acquire', count)
    const polls = await Promise.all(Array.from({ length: 1000 }, () => shop.get(path, { 'if-none-match': String(headers.etag) })))
    shop.deps.pool.off('acquire', count)
    pool.off('acquire', count)
    expect(new Set(polls.map((poll) => poll.status))).toEqual(new Set([304]))
    expect(asked).toBe(0)
  })
  it('says something new as soon as there is something new', async () => {
    const [{ headers }, price] = [await shop.get(path), 130 + (Date.now() % 800)]
    await pool.query('update products set price_poisha = $1 where id = $2', [price * 100, odd.id])
    await expect.poll(() => shop.get(path, { 'if-none-match': String(headers.etag) }), AT_ONCE).toMatchObject({ status: 200 })
    expect(JSON.parse((await shop.get(path)).text)).toMatchObject({ products: [{ id: odd.id, price }, { id: cow.id }] })
    await db.updateTable('products').set({ discount_kind: 'percentage', discount_value: 1250 }).where('id', '=', odd.id).execute()
    await expect
      .poll(async () => JSON.parse((await shop.get(path)).text), AT_ONCE)
      .toMatchObject({ products: [{ id: odd.id, price, discount: 12.5, discount_type: 'percentage' }, { discount: null }] })
  })
})

it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'])('%s on what is only read: 404, nothing else', async (method) => {
  for (const path of ['/', '/api/products', `/api/products/${odd.id}`, '/api/areas', '/cart', '/healthz', '/robots.txt']) {
    const answer = await shop.send(method, path, undefined, { headers: { 'x-csrf-token': await shop.token() } })
    expect([answer.status, answer.body.error], path).toEqual([404, 'Not found.'])
  }
})

it('HEAD tells of a page what GET would, without it', async () => {
  for (const path of ['/', '/api/products', '/cart']) {
    const [head, page] = [await shop.send('HEAD', path), await shop.get(path)]
    expect([head.status, head.text, head.headers['content-type']], path).toEqual([200, '', page.headers['content-type']])
  }
})

it.each(['br', 'gzip', 'identity', 'gzip;q=0.5, x'])('an answer in the encoding %s is the same text, cached or not', async (accepted) => {
  for (const path of ['/', '/cart', '/api/product/search?q=mango']) {
    for (let times = 0; times < 2; times++) {
      const response = await fetch(shop.url + path, { headers: { 'accept-encoding': accepted } })
      const plain = await shop.get(path)
      expect([response.status, await response.text()], path).toEqual([200, plain.text])
    }
  }
})

it('a client that dribbles its request is given half a minute for its head and a quarter of an hour for its body, a proxy may keep its connections', () => {
  expect(shop.app.server).toMatchObject({ headersTimeout: 30_000, requestTimeout: 900_000, keepAliveTimeout: 72_000 })
})

it('who dribbles is told 408 and hung up on, in the head as in the body, while others are served', { timeout: 60_000 }, async () => {
  const { server } = shop.app
  const usual = { headersTimeout: server.headersTimeout, requestTimeout: server.requestTimeout }
  // Shorter for this test; Node looks at its connections every half minute, and takes another interval when it begins to listen.
  Object.assign(server, { headersTimeout: 1000, requestTimeout: 1000, connectionsCheckingInterval: 250 })
  server.emit('listening')
  const dribble = (text: string) => {
    const socket = connect(shop.deps.env.port, '127.0.0.1', () => socket.write(text))
    const drops = setInterval(() => socket.write('x'), 500)
    let said = ''
    socket.on('data', (chunk) => (said += String(chunk)))
    return new Promise<string>((resolve) => {
      socket.on('error', () => {})
      socket.on('close', () => resolve(said))
    }).finally(() => clearInterval(drops))
  }
  const slow = [
    dribble('GET /cart HTTP/1.1\r\nhost: shop.example\r\nx-slow: '),
    dribble('POST /customer-orders HTTP/1.1\r\nhost: shop.example\r\ncontent-type: application/json\r\ncontent-length: 9000\r\n\r\n{"a":"'),
  ]
  expect((await shop.get('/api/areas')).status).toBe(200)
  for (const said of await Promise.all(slow)) expect(said).toMatch(/^HTTP\/1\.1 408 /)
  expect((await shop.get('/api/areas')).status).toBe(200)
  Object.assign(server, usual)
})
