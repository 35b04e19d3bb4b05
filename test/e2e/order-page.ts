import type { Page } from 'playwright-core'
import '#messages/en-admin.ts'
import type { OrderStatus } from '#features/orders/rules.ts'
import { translate } from '#lib/i18n/translate.ts'

// The page of an order in the admin, in English.

const t = translate('en')

/** Opens the fields of a section of an order. */
export async function editSection(page: Page, section: 'lines' | 'details'): Promise<void> {
  const title = t(section === 'lines' ? 'admin-orders.lines' : 'admin-orders.contact')
  await page.getByRole('button', { name: t('admin-orders.edit-section', { section: title }) }).click()
}

/** Presses the button of the next step. */
export async function takeStep(page: Page, to: OrderStatus): Promise<void> {
  await page.locator(`[data-step=${to}]`).click()
}

/** Cancels or returns an order from the menu, up to its question. */
export async function endOrder(page: Page, to: 'cancelled' | 'returned', reason: string): Promise<void> {
  await page.getByRole('button', { name: t('admin-orders.more'), exact: true }).click()
  await page.getByRole('button', { name: t(`admin-orders.step.${to}`), exact: true }).click()
  await page.getByRole('dialog').getByLabel(t('admin-orders.reason')).fill(reason)
}
