import { describe, expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { buildUser } from '#test/factories.ts'
import { openShop } from '#test/request.ts'

// Row 36: every write that the shop answers, found by walking its routes: none can be made without the sender's own token.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const owner = shop.visitor()
await owner.signIn((await buildUser(db, { role: 'owner' })).phone)
const stranger = shop.visitor()

/** What machines of the payment companies call: they prove themselves otherwise. */
const BY_MACHINES = /^\/(demo-gateway|payments)\//

/** The addresses that take a write, read off the router's tree: four characters deeper is one part further. */
function writes(): [method: string, path: string][] {
  const parts: string[] = []
  return shop.app
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const [, indent = '', part = '', methods = ''] = /^([│ ]*)[├└]── (\S*)(?: \((.*)\))?/.exec(line) ?? []
      const depth = indent.length / 4
      parts.length = depth
      parts[depth] = part
      const path = `/${parts.join('')}`.replace(/^\/+/, '/').replace(/:\w+/g, '1')
      return methods
        .split(', ')
        .filter((method) => ['POST', 'PUT', 'PATCH', 'DELETE'].includes(method))
        .map((method): [string, string] => [method, path])
    })
    .filter(([, path]) => !BY_MACHINES.test(path))
}

const known = writes()

it('knows the writes of shop and admin', () => {
  expect(known.length).toBeGreaterThan(60)
  for (const path of ['/customer-orders', '/login', '/register', '/address/add/1', '/admin/orders/store', '/api/admin/saved-filters'])
    expect(known).toContainEqual(['POST', path])
})

describe.each(known)('%s %s', (method, path) => {
  const send = (headers: Record<string, string>) =>
    owner.send(method, path, method === 'DELETE' ? undefined : '{}', {
      headers: { ...(method === 'DELETE' ? {} : { 'content-type': 'application/json' }), accept: 'application/json', ...headers },
    })
  it('wants the token of its own session and page', async () => {
    const token = await owner.token()
    const tried = {
      none: {},
      wrong: { 'x-csrf-token': 'x'.repeat(43) },
      "a stranger's": { 'x-csrf-token': await stranger.token() },
      'own, sent by a foreign page': { 'x-csrf-token': token, origin: 'https://evil.example' },
      'own, sent by a page without origin': { 'x-csrf-token': token, origin: 'null' },
      'own, across sites': { 'x-csrf-token': token, 'sec-fetch-site': 'cross-site' },
    }
    const statuses: Record<string, number> = {}
    for (const [name, headers] of Object.entries(tried)) statuses[name] = (await send(headers)).status
    expect(statuses).toEqual(Object.fromEntries(Object.keys(tried).map((name) => [name, 403])))
  })
})

const CREATES = known.filter(([method, path]) => method === 'POST' && /^\/(api\/)?admin\/.*\/(store|reorder)$/.test(path))

it.each(CREATES)('%s %s reads the token in the field _token as in the header, and no input from it', async (_method, path) => {
  const token = await owner.token()
  const send = (fields: object, headers: Record<string, string>) =>
    owner.send('POST', path, JSON.stringify(fields), {
      headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
    })
  const [byHeader, byField] = [await send({}, { 'x-csrf-token': token }), await send({ _token: token }, {})]
  expect([byField.status, byField.body]).toEqual([byHeader.status, byHeader.body])
  expect(byField.status).toBe(422)
})

it('a body that allows no other fields may have the field _token', async () => {
  const fields = {
    name_en: 'Honey',
    name_bn: 'মধু',
    description: '',
    delivery_group: 'produce',
    cod_allowed: true,
    final_weighing_days: null,
  }
  const answer = await owner.send('POST', '/admin/category/store', JSON.stringify({ ...fields, _token: await owner.token() }), {
    headers: { 'content-type': 'application/json', accept: 'application/json' },
  })
  expect(answer.status, answer.text).toBe(200)
})
