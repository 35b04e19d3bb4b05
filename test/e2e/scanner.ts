import type { CDPSession, Page } from 'playwright-core'

export type Scanner = (code: string) => Promise<void>

/** A scanner at this page: keys as close to one another as the browser takes them, none of them waits for the one before; Enter at the end. */
export async function plugScanner(page: Page): Promise<Scanner> {
  const session = await page.context().newCDPSession(page)
  return async (code) =>
    void (await Promise.all([...code].flatMap((key) => press(session, key, key)).concat(press(session, 'Enter', '\r'))))
}

function press(session: CDPSession, key: string, text: string): Promise<unknown>[] {
  const which = { key, windowsVirtualKeyCode: text.toUpperCase().charCodeAt(0) }
  return [
    session.send('Input.dispatchKeyEvent', { type: 'keyDown', text, ...which }),
    session.send('Input.dispatchKeyEvent', { type: 'keyUp', ...which }),
  ]
}
