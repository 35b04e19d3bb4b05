import { sql } from 'kysely'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { claimSms, recordSmsOutcome } from '#features/messaging/outbox.server.ts'
import { testDb } from '#test/db.ts'
import { openShop } from '#test/request.ts'
import { rowsRead } from '#test/rows-read.ts'
import { signedIn } from '../orders/testing/admin-shop.ts'
import { listCampaigns } from './campaign-queries.server.ts'
import { campaignsOf, clearCampaigns, customers, runJob, sendAll } from './testing/campaigns.ts'

// The numbers of an ended campaign, which the list shows for as long as the shop exists.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
afterAll(() => expect(shop.failures).toEqual([]))
const { started, control, campaign } = campaignsOf(db, await signedIn(shop, 'manager'))
beforeEach(() => clearCampaigns(db))

const list = { backward: false, from: null }

/** The people and SMS that a page of the campaigns reads. */
const read = async () => {
  const tables = ['campaign_people', 'sms_outbox'] as const
  const counts: number[] = []
  for (const table of tables) counts.push(await rowsRead(db, table, (tx) => listCampaigns(tx, list)))
  return counts
}

it('are counted once, not for each page of the list', async () => {
  await customers(db, 60)
  const id = await started()
  while ((await runJob(shop)) > 0) {
    await sendAll(db)
    await sql`update sms_outbox set state = 'failed' where phone = '01900000001'`.execute(db)
  }
  const { rows } = await listCampaigns(db, list)
  expect(rows).toMatchObject([{ id, state: 'done', sent: 59, not_reached: 1, waiting: 0 }])
  expect(await campaign(id)).toMatchObject({ state: 'done', sent: 59, not_reached: 1, waiting: 0 })
  expect(await read()).toEqual([0, 0])
})

it('of a stopped one are final when none of its SMS is on its way any more', async () => {
  await customers(db, 30)
  const id = await started()
  await runJob(shop)
  const sending = (await claimSms(db, { daily: 1000, campaign: 1000 }))!
  await control(id, 'stop')
  await runJob(shop)
  expect(await campaign(id)).toMatchObject({ state: 'stopped', sent: 0, waiting: 1, not_reached: 29 })
  await recordSmsOutcome(db, sending, { state: 'submitted', reference: null }, false)
  await runJob(shop)
  expect(await campaign(id)).toMatchObject({ state: 'stopped', sent: 1, waiting: 0, not_reached: 29 })
  expect(await read()).toEqual([0, 0])
})
