import { afterAll, expect, it } from 'vitest'
import { buildArea, buildProduct, orderBody } from '#test/factories.ts'
import { testDb } from '#test/db.ts'
import { registeredRoutes } from '#test/registered-routes.ts'
import { openShop } from '#test/request.ts'

// A form that is rejected is shown at the address it was sent to. Switching the language, a reload from the list of tabs and a sign-in open
// that address without a form.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
afterAll(() => expect(shop.failures).toEqual([]))

it('every address that shows a rejected form can be opened', () => {
  const of = (method: string) => registeredRoutes.filter((route) => [route.method].flat().includes(method))
  const opened = new Set(of('GET').map((route) => route.url))
  const shown = of('POST').filter(({ config, url: path }) => config?.page === true && !path.startsWith('/payments/'))
  expect(shown.map((route) => route.url)).toContain('/login')
  expect(shown.map((route) => route.url).filter((path) => !opened.has(path))).toEqual([])
})

it.each([
  ['/login/code', '/login?way=code'],
  ['/code/resend', '/code'],
  ['/orders/7/pay', '/invoice/7'],
  ['/orders/7/payment-method?key=a%2Fb', '/invoice/7?key=a%2Fb'],
  ['/order-store', '/'],
  ['/order-store?pid=x', '/'],
])('%s leads to %s', async (path, page) => {
  const answer = await shop.get(path, { accept: 'text/html' })
  expect([answer.status, answer.headers.location]).toEqual([303, page])
})

it('the language of a rejected one-product form is switched', async () => {
  const { id } = await buildProduct(db)
  const visitor = shop.visitor()
  const form = (await visitor.get(`/order/place/${id}`, { accept: 'text/html' })).text
  const action = /action="(\/order-store[^"]*)"/.exec(form)![1]!
  const rejected = await visitor.postForm(action, { pid: String(id), full_name: '' })
  const next = /name="next" value="([^"]+)"/.exec(rejected.text)![1]!
  const switched = await visitor.postForm('/language', { lang: 'bn', next })
  const page = await visitor.get(switched.headers.location!, { accept: 'text/html' })
  expect([rejected.status, page.headers.location]).toEqual([422, `/order/place/${id}`])
})

it('a payment that is refused without scripts leads back to its order', async () => {
  const { id: product } = await buildProduct(db)
  const { id: area } = await buildArea(db, { produce: 80 })
  const visitor = shop.visitor()
  await visitor.get('/cart', { accept: 'text/html' })
  const placed = await visitor.post(
    '/customer-orders',
    orderBody(area, [[product, 1]], { payment_type: 'cash_on_delivery', payment_gateway: 'NONE' }),
  )
  expect(placed.status, placed.text).toBe(200)
  const address = `/orders/${placed.body.order_id}/pay`
  const refused = await visitor.postForm(address, {})
  expect([refused.status, refused.text]).toEqual([expect.any(Number), expect.stringMatching(new RegExp(`href="${address}"[^>]*>Back<`))])
  expect((await visitor.get(address, { accept: 'text/html' })).headers.location).toBe(`/invoice/${placed.body.order_id}`)
  // An address that cannot be opened is no way back.
  expect((await visitor.postForm('/no-such-page', {})).text).not.toContain('>Back<')
})
