import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { complaints } from './axe.ts'
import { newPhone } from './new-phone.ts'
import { allIsWell, cashier, db, manager, openOfflinePos, sellWithout, signInAs, sold, startOfflinePos, STORE, t } from './offline-pos.ts'
import { openPos } from './pos-page.ts'

await startOfflinePos()

const nameOf = async (id: number) => (await db.selectFrom('users').select('name').where('id', '=', id).executeTakeFirstOrThrow()).name

test('the unsent sale of a cashier who is gone is taken over by a manager, and sold once', async () => {
  const { page, context } = await openOfflinePos()
  const [phone, name] = [newPhone(), await nameOf(cashier.id)]
  await context.setOffline(true)
  await sellWithout(page, phone)
  // The shop is back once the manager is signed in on the device.
  await context.route(STORE, (route) => route.abort())
  await context.setOffline(false)
  await signInAs(page, manager.phone)
  await openPos(page)
  await page.getByText(t('pos.unsent.others', { name, count: '1' })).waitFor()
  await context.unroute(STORE)
  await page.getByRole('button', { name: t('pos.unsent.title') }).click()
  await page.getByText(t('pos.unsent.of', { name })).waitFor()
  expect(await complaints(page)).toEqual([])
  expect(await sold(phone)).toEqual([])
  await page.getByRole('button', { name: t('pos.unsent.take-over') }).click()
  await page
    .getByText(/Sent: order/)
    .first()
    .waitFor()
  const [order, ...more] = await sold(phone)
  expect(more).toEqual([])
  const { rows } = await sql<{ name: string }>`select u.name from pos_sales s join pos_shifts f on f.id = s.shift_id
    join users u on u.id = f.cashier_id where s.order_id = ${order!.id}`.execute(db)
  expect(rows).toEqual([{ name: await nameOf(manager.id) }])
  await allIsWell()
})
