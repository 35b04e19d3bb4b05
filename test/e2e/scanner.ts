import type { CDPSession, Page } from 'playwright-core'

export type Scanner = (code: string) => Promise<void>

/** Between two keys of a scanner, in milliseconds. */
const SCANNER_KEY_GAP = 1

/**
 * A scanner at this page; Enter ends the code. Its keys say that they were pressed 1 ms apart, and none waits for the one before: a busy machine
 * splits no code. A scan that begins during another one follows it.
 */
export async function plugScanner(page: Page): Promise<Scanner> {
  const session = await page.context().newCDPSession(page)
  let next = 0
  return async (code) => {
    const at = Math.max(next, Date.now())
    next = at + (code.length + 1) * SCANNER_KEY_GAP
    await type(session, `${code}\r`, at, SCANNER_KEY_GAP)
  }
}

/**
 * Keys whose events say that they were pressed at a chosen time, 5 ms apart: what the page decides by these times does not depend on how busy the
 * machine is. `at` is in milliseconds, for all calls from the same moment; `\r` is Enter.
 */
export async function plugTimedKeys(page: Page): Promise<(text: string, at: number) => Promise<void>> {
  const session = await page.context().newCDPSession(page)
  const start = Date.now()
  return (text, at) => type(session, text, start + at, 5)
}

/** Types keys from a time on, in milliseconds since 1970. */
async function type(session: CDPSession, text: string, from: number, gap: number): Promise<void> {
  await Promise.all(
    [...text].flatMap((letter, index) => {
      const key = letter === '\r' ? 'Enter' : letter
      const which = { key, windowsVirtualKeyCode: letter.toUpperCase().charCodeAt(0), timestamp: (from + index * gap) / 1000 }
      return [
        session.send('Input.dispatchKeyEvent', { type: 'keyDown', text: letter, ...which }),
        session.send('Input.dispatchKeyEvent', { type: 'keyUp', ...which }),
      ]
    }),
  )
}
