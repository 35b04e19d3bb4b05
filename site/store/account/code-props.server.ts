import type { Challenge } from '#features/auth/challenges.server.ts'
import { RESEND_SECONDS } from '#features/auth/code-rules.ts'
import type { Props } from './code.page.tsx'

/** Props of the code page. They show no more of the person than this browser has typed. */
export function codeProps({ purpose, phone, sentAt, nextPath }: Challenge, now: Date): Pick<Props, 'challenge' | 'errors' | 'problem'> {
  const since = Math.floor((now.getTime() - sentAt.getTime()) / 1000)
  const resendAfter = phone === null ? null : Math.max(0, RESEND_SECONDS - since)
  const backTo = purpose === 'order-phone' ? nextPath : null
  return { challenge: { purpose, phone, resendAfter, backTo }, errors: {}, problem: null }
}
