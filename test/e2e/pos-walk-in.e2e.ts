import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { complaints } from './axe.ts'
import { allIsWell, CODE, db, startOfflinePos, storedReceipt, t, openOfflinePos } from './offline-pos.ts'
import { lastOrder, nothingWaits, place, quantity, scan, unlocked } from './pos-page.ts'

await startOfflinePos()

// A walk-in sale with a note on its line, with and without network.

test('a sale without a phone and with a note is sold, printed, and sold again without network', async () => {
  await sql`insert into settings (key, value) values ('walk_in_sales', 'true') on conflict do nothing`.execute(db)
  const { page, context } = await openOfflinePos()
  const key = page.getByRole('button', { name: t('pos.walk-in-key') })
  const enterWalkIn = async (note: string) => {
    await unlocked(page)
    await page.locator('#pos-search').focus()
    await scan(page, CODE)
    await quantity(page).waitFor()
    await page.getByRole('button', { name: new RegExp(`^${t('pos.line-note')} ?: Test honey$`) }).click()
    await page.getByLabel(t('pos.line-note-of', { name: 'Test honey' })).fill(note)
    await key.click()
    await expect.poll(() => key.getAttribute('aria-pressed')).toBe('true')
  }
  await enterWalkIn('two jars')
  expect(await complaints(page)).toEqual([])
  // A typed phone takes the key back; the key takes the phone away.
  await page.fill('#pos-phone', '01712345678')
  await expect.poll(() => key.getAttribute('aria-pressed')).toBe('false')
  await key.click()
  await expect.poll(() => page.locator('#pos-phone').inputValue()).toBe('')
  await place(page)
  await lastOrder(page)
  const receipt = page.locator('[data-print-in-place] [data-receipt]')
  await expect.poll(() => receipt.textContent()).toContain('two jars')
  expect(await receipt.textContent()).toContain(t('pos.walk-in'))

  await context.setOffline(true)
  await enterWalkIn('one jar')
  await place(page)
  await storedReceipt(page)
  await expect.poll(() => receipt.textContent()).toContain('one jar')
  await context.setOffline(false)
  await nothingWaits(page)
  const { rows } = await sql<{ phone: string; note: string }>`select o.phone, l.note from orders o join order_lines l on l.order_id = o.id
    where o.source = 'pos' order by o.id desc limit 2`.execute(db)
  expect(rows).toEqual([
    { phone: '', note: 'one jar' },
    { phone: '', note: 'two jars' },
  ])
  await allIsWell()
})
