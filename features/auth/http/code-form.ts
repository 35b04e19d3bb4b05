import type { Challenge, Purpose } from '../challenges.server.ts'
import { RESEND_SECONDS } from '../code-rules.ts'

/** Props of the code page. It shows no data of the account beyond what was typed. */
export interface CodeFormProps {
  challenge: {
    purpose: Purpose
    phone: string | null
    /** Seconds until another code may be sent; null for a code of an authenticator app. */
    resendAfter: number | null
    /** The invoice whose phone is verified. */
    backTo: string | null
    /** The page to return to after signing in, also with another number. */
    next: string | null
  }
  errors: Record<string, string>
  problem: null
}

/** Purposes that begin on a page which takes the page to return to. */
const SIGN_IN: readonly Purpose[] = ['register', 'sign-in', 'new-password', 'second-factor', 'first-password']

/** The code page's props for a pending challenge. */
export function codeFormProps({ purpose, phone, sentAt, nextPath }: Challenge, now: Date): CodeFormProps {
  const since = Math.floor((now.getTime() - sentAt.getTime()) / 1000)
  const resendAfter = phone === null ? null : Math.max(0, RESEND_SECONDS - since)
  const backTo = purpose === 'order-phone' ? nextPath : null
  const next = SIGN_IN.includes(purpose) ? nextPath || null : null
  return { challenge: { purpose, phone, resendAfter, backTo, next }, errors: {}, problem: null }
}
