import type { Page } from 'playwright-core'
import { DEMO_PASSWORD } from '#db/demo/people.ts'

/** Signs a user in by phone in this page's browser. An empty page stays empty; another one is left for the sign-in form first. */
export async function signIn(page: Page, identifier: string, password: string = DEMO_PASSWORD): Promise<void> {
  if (page.url() !== 'about:blank') await page.goto('/login')
  const { token } = (await (await page.request.get('/csrf-token')).json()) as { token: string }
  const answer = await page.request.post('/login', { data: { identifier, password }, headers: { 'x-csrf-token': token } })
  if (!answer.ok()) throw new Error(`${identifier} could not sign in: ${answer.status()} ${await answer.text()}`)
}

/** Opens a page and waits until it reacts. */
export async function go(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await page.waitForFunction(() => window.pageAwake)
}
