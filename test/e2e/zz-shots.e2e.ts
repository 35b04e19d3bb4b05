import { test } from 'vitest'
import { enter, newPhone, startOfflinePos, t, till, CODE } from './offline-pos.ts'
import { place, unlocked, scan, quantity } from './pos-page.ts'
import { expect } from 'vitest'
await startOfflinePos()
test.each([
  [1280, 'en'],
  [390, 'en'],
  [1280, 'bn'],
  [390, 'bn'],
] as const)(
  '%s %s',
  async (width, lang) => {
    const { page, context } = await till(undefined, width)
    if (lang === 'bn') await page.goto('/admin/quick-orders?lang=bn')
    await page.waitForFunction(() => window.pageAwake)
    await enter(page, newPhone())
    await page.fill('#pos-cash', '500')
    await page.screenshot({ path: `/tmp/shots/${width}-${lang}-0.png` })
    await place(page)
    await page.locator('[data-last-sale]').waitFor()
    await page.waitForTimeout(300)
    await page.screenshot({ path: `/tmp/shots/${width}-${lang}-1.png` })
    await context.setOffline(true)
    await enter(page, newPhone())
    await place(page)
    await page.locator('[data-last-sale^=U]').waitFor()
    await page.waitForTimeout(3500)
    await page.screenshot({ path: `/tmp/shots/${width}-${lang}-2.png` })
    if (width === 1280) {
      await page.emulateMedia({ media: 'print' })
      await page.pdf({ path: `/tmp/shots/${lang}.pdf`, preferCSSPageSize: true })
      await page.screenshot({ path: `/tmp/shots/print-${lang}.png` })
    }
  },
  120000,
)
