import type { CDPSession, Page } from 'playwright-core'

export type Scanner = (code: string) => Promise<void>

/** A scanner at this page: keys as close to one another as the browser takes them, none of them waits for the one before; Enter at the end. */
export async function plugScanner(page: Page): Promise<Scanner> {
  const session = await page.context().newCDPSession(page)
  return async (code) =>
    void (await Promise.all([...code].flatMap((key) => press(session, key, key)).concat(press(session, 'Enter', '\r'))))
}

/**
 * Keys whose events say that they were pressed at a chosen time, 5 ms apart: what the page decides by these times does not depend on how busy the
 * machine is. `at` is in milliseconds, for all calls from the same moment; `\r` is Enter.
 */
export async function plugTimedKeys(page: Page): Promise<(text: string, at: number) => Promise<void>> {
  const session = await page.context().newCDPSession(page)
  const start = Date.now()
  return async (text, at) =>
    void (await Promise.all(
      [...text].flatMap((key, index) => press(session, key === '\r' ? 'Enter' : key, key, (start + at + index * 5) / 1000)),
    ))
}

/** `timestamp`: seconds since 1970; now by default. */
function press(session: CDPSession, key: string, text: string, timestamp?: number): Promise<unknown>[] {
  const which = { key, windowsVirtualKeyCode: text.toUpperCase().charCodeAt(0), ...(timestamp === undefined ? {} : { timestamp }) }
  return [
    session.send('Input.dispatchKeyEvent', { type: 'keyDown', text, ...which }),
    session.send('Input.dispatchKeyEvent', { type: 'keyUp', ...which }),
  ]
}
