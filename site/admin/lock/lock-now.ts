import { call } from '#page/api-client.ts'
import { LOCKED_EVENT } from './lock-events.ts'

/** Locks the session; the lock screen of the page covers it. False without network: nothing locks then, and the POS sells on. */
export async function lockNow(): Promise<boolean> {
  const answer = await call('/account/lock', { method: 'POST', body: {} })
  if (answer.ok) window.dispatchEvent(new Event(LOCKED_EVENT))
  return answer.ok
}
