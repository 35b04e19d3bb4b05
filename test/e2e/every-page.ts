import { database } from './demo-shop.ts'

// Every type of page of the demo shop, for tests that visit them all.

const OWNER = '01711000001'
const CUSTOMER = '01811000001'

const first = async (columns: string) => (await database.query<Record<string, string>>(`select ${columns}`)).rows[0]!
const listed = (paths: string) => paths.trim().split(/\s+/)

/** The pages by visitor; one of each type, and forms with their rows filled. */
export async function pagesOf(): Promise<Record<'staff' | 'visitor' | 'customer', { account?: string; paths: string[] }>> {
  const { order, goods, animal, customer, area, category, slot, popup, coupon } = await first(`
    (select id from orders where status = 'processing' order by id limit 1) as "order",
    (select id from products where not is_unique and visible and status = 'in-stock' order by id limit 1) as goods,
    (select id from products where is_unique and visible order by id limit 1) as animal,
    (select id from users where role = 'customer' order by id limit 1) as customer,
    (select min(id) from areas) as area, (select min(id) from categories) as category, (select min(id) from slots) as slot,
    (select min(id) from popups) as popup, (select min(id) from coupons) as coupon`)
  const { track, key } = await first(`tracking_code as track, view_key as key from orders where id = ${order}`)
  const inAdmin = `
    / /orders /orders?q=0&due=yes /orders?status=delivered&user_id=1 /orders/create /orders/update/${order} /orders/invoice/${order} /quick-orders /quick-orders/return
    /quick-orders/return-without-receipt /quick-orders/code /quick-orders/display /quick-orders/favourites /quick-orders/shifts /quick-orders/sales
    /quick-orders/pos-invoice/${order} /advances /payments /held-animals /bookings /customers
    /customers?q=nobody /customers/${customer}
    /customers/${customer}/edit /customers/${customer}/merge /customers/${customer}/merge?with=01811000002
    /leaderboard /leaderboard?start_date=2020-01-01 /sms /products /products?q=m&status=in-stock
    /products/create /products/import /products/${goods} /products/${animal} /labels?ids=${goods},${animal} /categories /category/create
    /category/${category}/edit /slots /slots/create /slots/${slot} /popups /popups/create /popups/${popup} /coupons /coupons/create
    /coupons/${coupon} /areas /areas/create /areas/${area} /texts /texts/terms-condition /weigh-ins /weigh-ins?tag=B-218 /rates /rates/edit
    /reports /audit /staff /settings?part=shop /settings?part=notices /settings?part=payments /settings?part=orders /settings?part=till
    /settings?part=animals /settings?part=messages /settings?part=security /settings?part=scales`
  const inShop = `
    / /fruits /beef /kurbani /search?q=mango /search?q=zzzz /nowhere /product/${goods} /product/${animal} /order/place/${goods} /cart /login /register
    /forgot-password /code /terms-condition /animal/${animal} /track /track/${track} /invoice/${order}?key=${key}
    /order/confirmed/${order}?key=${key}`
  return {
    staff: { account: OWNER, paths: listed(inAdmin).map((path) => (path === '/' ? '/admin' : `/admin${path}`)) },
    visitor: { paths: listed(inShop) },
    customer: {
      account: CUSTOMER,
      paths: ['/account', '/account/profile', '/account/addresses', '/account/security', '/account/security/name'],
    },
  }
}
