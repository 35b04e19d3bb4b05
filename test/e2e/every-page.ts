import { database } from './demo-shop.ts'

// Every type of page of the demo shop, for tests that visit them all.

const OWNER = '01711000001'
const CUSTOMER = '01811000001'

const first = async (columns: string) => (await database.query<Record<string, string>>(`select ${columns}`)).rows[0]!
const listed = (paths: string) => paths.trim().split(/\s+/)

/** Who visits pages. Those of staff come in parts, each short enough for one test on a loaded machine. */
export const PARTS = [
  'staff: orders',
  'staff: the counter',
  'staff: customers',
  'staff: catalogue',
  'staff: shop',
  'visitor',
  'customer',
] as const

/**
 * One page of each type, forms with their rows filled; and the phone of who is signed in on them, if anyone. Starts a stock take for its
 * pages: to be called once.
 */
export async function pagesOf(): Promise<Record<(typeof PARTS)[number], { account?: string; paths: string[] }>> {
  const { order, goods, reviewed, delivered, animal, customer, area, category, slot, popup, coupon } = await first(`
    (select id from orders where status = 'processing' order by id limit 1) as "order",
    (select id from products where not is_unique and visible and status = 'in-stock' order by id limit 1) as goods,
    (select product_id from product_ratings where review_count > 0 order by product_id limit 1) as reviewed,
    (select o.id from orders o join users u on u.id = o.customer_id where o.status = 'completed' and u.phone = '${CUSTOMER}' order by o.id limit 1) as delivered,
    (select id from products where is_unique and visible order by id limit 1) as animal,
    (select id from users where role = 'customer' order by id limit 1) as customer,
    (select min(id) from areas) as area, (select min(id) from categories) as category, (select min(id) from slots) as slot,
    (select min(id) from popups) as popup, (select min(id) from coupons) as coupon`)
  const { track, key } = await first(`tracking_code as track, view_key as key from orders where id = ${order}`)
  const { rows: takes } = await database.query<{ id: string }>(
    `insert into stock_takes (started_by, started_at) select min(id), now() from users where phone = '${OWNER}' returning id`,
  )
  const take = takes[0]!.id
  await database.query(`insert into stock_take_lines (take_id, product_id, expected_milli, counted_milli, reason, first_counted_at, counted_at, counted_by)
    select ${take}, id, 1000, 0, 'lost', now(), now(), (select id from users where phone = '${OWNER}') from products where id in (${goods}, ${animal})`)
  const inAdmin = (paths: string) => ({
    account: OWNER,
    paths: listed(paths).map((path) => (path === '/' ? '/admin' : `/admin${path}`)),
  })
  const inShop = `
    / /fruits /beef /beef?sex=ox&breed=Deshi /kurbani /compare /compare?ids=${animal} /search?q=mango /search?q=zzzz /nowhere /product/${goods} /product/${animal} /product/${reviewed} /product/${reviewed}/reviews /order/place/${goods} /cart /login /login?way=password /register
    /forgot-password /code /terms-condition /privacy-policy /category/sugarcane /demo/sms /about /contact /animal/${animal} /track /track/${track} /invoice/${order}?key=${key}
    /order/confirmed/${order}?key=${key}`
  return {
    'staff: orders': inAdmin(`
      / /orders /orders?q=0&due=yes /orders?status=delivered&user_id=1 /orders/create /orders/drafts /orders/update/${order} /orders/invoice/${order}
      /orders/delivery-sheet /orders/invoices?ids=${order}
      /advances /advances/history /payments /payments/days /payments/days/2026-11-23?method=cash /payments/accounts /held-animals /bookings`),
    'staff: the counter': inAdmin(`
      /quick-orders /quick-orders/return /quick-orders/return-without-receipt /quick-orders/code /quick-orders/display /quick-orders/favourites
      /quick-orders/shifts /quick-orders/registers /quick-orders/account /quick-orders/day-report /area-requests /backups /health /setup /setup/test-receipt /quick-orders/sales /quick-orders/pos-invoice/${order}`),
    'staff: customers': inAdmin(`
      /customers /customers?q=nobody /customers/create /customers/${customer} /customers/${customer}/edit /customers/${customer}/merge
      /customers/${customer}/statement /customers/${customer}/statement/print
      /customers/${customer}/merge?with=01811000002 /leaderboard /leaderboard?start_date=2020-01-01 /sms /sms/campaigns
      /sms/campaigns/create?due=yes /reviews /reviews?state=all`),
    'staff: catalogue': inAdmin(`
      /products /products?q=m&status=in-stock /products/create /products/import /products/${goods} /products/${animal}
      /labels?ids=${goods},${animal} /stock-takes /stock-takes/${take} /stock-takes/${take}?list=open /stock-takes/${take}/print
      /categories /category/create /category/${category}/edit /weigh-ins /weigh-ins?tag=B-218 /rates /rates/edit`),
    'staff: shop': inAdmin(`
      /slots /slots/create /slots/${slot} /popups /popups/create /popups/${popup} /coupons /coupons/create /coupons/${coupon}
      /areas /areas/create /areas/${area} /texts /texts/terms-condition /texts/about /texts/contact /reports /audit /staff
      /settings?part=shop /settings?part=about /settings?part=notices /settings?part=payments /settings?part=orders /settings?part=pos
      /settings?part=animals /settings?part=messages /settings?part=security /settings?part=scales`),
    visitor: { paths: listed(inShop) },
    customer: {
      account: CUSTOMER,
      paths: [
        '/account',
        '/account/profile',
        '/account/addresses',
        '/account/security',
        '/account/security/name',
        '/account/security/name?next=/cart',
        '/account/security/password',
        '/account/security/phone',
        '/account/security/email',
        '/account/security/second-factor',
        `/order/review/${delivered}`,
      ],
    },
  }
}
