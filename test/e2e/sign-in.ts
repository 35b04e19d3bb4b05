import type { Page } from 'playwright-core'
import { DEMO_PASSWORD } from '#db/demo/people.ts'

/** Signs a user in by phone in this page's browser. The page stays on the sign-in form. */
export async function signIn(page: Page, identifier: string, password: string = DEMO_PASSWORD): Promise<void> {
  await page.goto('/login')
  const token = await page.getAttribute('meta[name=csrf-token]', 'content')
  const answer = await page.request.post('/login', { data: { identifier, password }, headers: { 'x-csrf-token': token ?? '' } })
  if (!answer.ok()) throw new Error(`${identifier} could not sign in: ${answer.status()} ${await answer.text()}`)
}

/** Opens a page and waits until it reacts. */
export async function go(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await page.waitForFunction(() => window.pageAwake)
}
