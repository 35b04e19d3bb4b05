import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { can, PERMISSION_NAMES, STAFF_ROLES, type StaffRole } from '#features/auth/permissions.ts'
import { testDb } from '#test/db.ts'
import { buildArea, buildProduct, buildUser, orderBody } from '#test/factories.ts'
import { openShop } from '#test/request.ts'
import type { Visitor } from '#test/visitor.ts'

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
afterAll(() => expect(shop.failures).toEqual([]))

const people = new Map<StaffRole | 'customer', Visitor>()
for (const role of [...STAFF_ROLES, 'customer' as const]) {
  const visitor = shop.visitor()
  await visitor.signIn((await buildUser(db, { role })).phone)
  people.set(role, visitor)
}
const stranger = shop.visitor()

/** Authorized requests for missing rows, or with empty bodies, change nothing. */
const address = (pattern: string) => pattern.replace(/:\w+/g, '999999999').replace('*', 'x')
const routes = shop.app.adminGuardedRoutes.filter(({ method }) => method !== 'HEAD')
const ask = async (who: Visitor, method: string, path: string, isPage: boolean) =>
  who.send(method, path, takesBody(method) ? '{"__nothing":1}' : undefined, {
    headers: {
      accept: isPage ? 'text/html' : 'application/json',
      ...(takesBody(method) ? { 'content-type': 'application/json' } : {}),
      ...(method === 'GET' ? {} : { 'x-csrf-token': await who.token() }),
    },
  })
const takesBody = (method: string) => method === 'POST' || method === 'PUT'

/** E5 as a table, written a second time: role → permissions. */
const PERMISSIONS: Record<StaffRole, RegExp> = {
  owner: /./,
  manager: /^(?!staff|settings|backups\.write)/,
  sales:
    /^(admin\.enter|(orders|customers|bookings|sms)\.(read|write|send)|payments\.write|leaderboard\.read|catalog\.read|coupons\.read|weighins\.read)$/,
  cashier: /^(admin\.enter|pos\.(read|sell)|catalog\.read)$/,
  weigher: /^(admin\.enter|weighins\.(read|write)|catalog\.read)$/,
  viewer: /^(admin\.enter|(orders|customers|bookings|sms|leaderboard|catalog|coupons|weighins|pos|reports)\.read)$/,
}

describe('the matrix of permissions', () => {
  it.each(STAFF_ROLES)('of the %s', (role) => {
    expect(PERMISSION_NAMES.filter((permission) => can(role, permission))).toEqual(
      PERMISSION_NAMES.filter((permission) => PERMISSIONS[role].test(permission)),
    )
  })
  it('gives a customer nothing', () => {
    expect(PERMISSION_NAMES.filter((permission) => can('customer', permission))).toEqual([])
  })
})

it.each(['cashier', 'weigher'] as const)('a %s does not read the codes of coupons', async (role) => {
  await sql`insert into coupons (code, kind) values ('FAMILY', 'free_shipping') on conflict do nothing`.execute(db)
  for (const path of ['/admin/coupons', '/admin/coupons/1']) {
    const { status, text } = await people.get(role)!.get(path, { accept: 'text/html' })
    expect([status, text.includes('FAMILY')]).toEqual([403, false])
  }
})

describe('every address of the admin', () => {
  it('is known, and names its permission', () => {
    expect(routes.length).toBeGreaterThan(5)
    for (const { permissions } of routes) expect(permissions.length).toBeGreaterThan(0)
  })

  it.each(routes.map((route) => [`${route.method} ${route.url}`, route] as const))(
    '%s',
    async (_name, { method, url, permissions, isPage }) => {
      const path = address(url)
      const outside = await ask(stranger, method, path, isPage)
      if (isPage) expect([outside.status, outside.headers.location]).toEqual([303, `/login?next=${encodeURIComponent(path)}`])
      else expect([outside.status, outside.body.message]).toEqual([401, 'Please log in first.'])
      for (const [role, visitor] of people) {
        const { status, headers, text } = await ask(visitor, method, path, isPage)
        expect([role, headers['cache-control']]).toEqual([role, expect.stringMatching(/^no-store/)])
        if (can(role, permissions))
          expect([role, [401, 403, 500].includes(status), text.slice(0, status < 500 ? 0 : 400)]).toEqual([role, false, ''])
        else expect([role, status]).toEqual([role, 403])
      }
    },
  )

  it('a write without the token is rejected, whatever the role may do', async () => {
    for (const { method, url } of routes.filter((route) => route.method !== 'GET')) {
      const [body, headers] = takesBody(method) ? ['{}', { 'content-type': 'application/json' }] : [undefined, {}]
      const answer = await people.get('owner')?.send(method, address(url), body, { headers: { ...headers } })
      expect([url, answer?.status]).toEqual([url, 403])
    }
  })
})

it('a cashier prints receipts of the POS, and no other order', async () => {
  const [area, mango] = [await buildArea(db, { produce: 80 }), await buildProduct(db)]
  const body = orderBody(area.id, [[mango.id, 1]], { payment_type: 'cash_on_delivery', payment_gateway: 'NONE' })
  const web = (await stranger.post('/customer-orders', body)).body.order_id
  const pos = (await stranger.post('/customer-orders', body)).body.order_id
  await sql`update orders set source = 'pos' where id = ${pos}`.execute(db)
  const receipt = async (role: StaffRole, id: unknown) =>
    (await people.get(role)!.get(`/admin/quick-orders/pos-invoice/${String(id)}`, { accept: 'text/html' })).status
  expect([await receipt('cashier', web), await receipt('cashier', pos)]).toEqual([404, 200])
  const printed = async (id: unknown) => await people.get('cashier')!.get(`/api/admin/quick-orders/receipts/${String(id)}`)
  expect((await printed(web)).status).toBe(404)
  expect((await printed(pos)).body).toMatchObject({ order: { id: pos }, tracking: { url: expect.stringContaining('/track/') } })
  expect([await receipt('sales', web), await receipt('viewer', web), await receipt('weigher', pos)]).toEqual([200, 200, 403])
})

it('nothing that writes can be asked for by GET', async () => {
  const owner = people.get('owner') as Visitor
  const pages = new Set(routes.filter(({ method }) => method === 'GET').map(({ url }) => address(url)))
  for (const { url } of routes.filter(({ method }) => method !== 'GET')) {
    const { status } = await owner.get(address(url), { accept: 'text/html' })
    // Where the same address has a page, the page is what comes.
    if (!pages.has(address(url))) expect([url, [400, 404].includes(status)]).toEqual([url, true])
  }
  // A file of personal data is a page that records its export.
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from audit_log where action <> 'exported'`.execute(db)
  expect(rows[0]?.count).toBe(0)
})

it('an address of the admin that names no permission stops the start', () => {
  expect(() => shop.app.get('/admin/forgotten', async () => 'open')).toThrow()
})

it('an address of the admin that is no page leads staff back to the dashboard, and other users to the shop', async () => {
  const html = { accept: 'text/html' }
  const wayOn = async (role: StaffRole | 'customer', path: string) =>
    /class="btn[^"]*" href="([^"]*)"|href="([^"]*)" class="btn/
      .exec((await people.get(role)!.get(path, html)).text.split('</h1>')[1]!)
      ?.slice(1)
      .find(Boolean)
  expect(await wayOn('viewer', '/admin/orders/update/9999999')).toBe('/admin')
  expect(await wayOn('viewer', '/nowhere')).toBe('/')
  expect(await wayOn('customer', '/nowhere')).toBe('/')
})
