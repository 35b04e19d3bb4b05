import type { Db } from '#lib/db/db.server.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { queueSms } from '#features/messaging/queue-sms.server.ts'
import { fillSms } from '#features/settings/sms/text-rules.ts'
import { type CountedAttempt, countChain, uncountChain, whileCounted } from './attempts.server.ts'
import {
  type Challenge,
  type ChallengeDetails,
  type CodePurpose,
  type NewChallenge,
  openChallenge,
  renewCode,
} from './challenges.server.ts'
import { CODE_MINUTES, RESEND_SECONDS } from './code-rules.ts'
import { findKnownBrowser, type KnownBrowser } from './known-browser.server.ts'
import { CODES_IN_ALL, codesSent, knownCodesSent, MAX_CODES_A_DAY } from './limits.server.ts'

/** Dependencies of the commands of this feature. */
export interface IdentityDeps {
  db: Db
  now: () => Date
  env: { sessionSecret: string; rateLimit: boolean; publicUrl: string }
  log: { warn(detail: object, text: string): void; error(detail: object, text: string): void }
  sms: { readonly canSend: boolean }
}

/** The browser that requests or enters a code. */
export interface CodeRequester {
  ip: string
  lang: Lang
  /** The cookie of accounts that this browser has signed in to. */
  knownCookie: string | null
  /** The text of the SMS, with {code} and {minutes}. */
  codeText: string
}

export type TooMany = { ok: false; reason: 'too-many'; retryAfter: number }

/** Without a provider a code would reach nobody. */
export type NoSms = { ok: false; reason: 'no-sms' }

interface CodeRequest extends Omit<NewChallenge, 'now' | 'purpose' | 'phone' | 'details'> {
  purpose: CodePurpose
  phone: string
  /** Data stored until the number is verified. Called after the attempt is counted, because it hashes a password. */
  details?: () => Promise<ChallengeDetails>
}

/**
 * Creates a challenge and sends its code by SMS. It behaves the same for known and unknown numbers, so that only the holder of the phone
 * can see whether there is an account.
 */
export async function requestCode(
  deps: IdentityDeps,
  requester: CodeRequester,
  { details, ...request }: CodeRequest,
): Promise<{ ok: true; token: string } | TooMany | NoSms> {
  if (!deps.sms.canSend) return { ok: false, reason: 'no-sms' }
  const now = deps.now()
  const chain = await limitsOf(deps, requester, request)
  const limited = await tooManyCodes(deps, chain, now)
  if (limited) return limited
  const stored = (await whileCounted(deps.db, chain, now, async () => details?.())) ?? {}
  const token = await openChallenge(deps.db, { ...request, details: stored, now })
  await sendCode(deps, requester, { token, sentAt: now, phone: request.phone })
  return { ok: true, token }
}

/** Sends a new code for an open challenge. */
export async function resendCode(
  deps: IdentityDeps,
  requester: CodeRequester,
  token: string,
  challenge: Challenge,
): Promise<{ ok: true } | TooMany | { ok: false; reason: 'too-soon'; retryAfter: number }> {
  const now = deps.now()
  const since = (now.getTime() - challenge.sentAt.getTime()) / 1000
  if (since < RESEND_SECONDS) return { ok: false, reason: 'too-soon', retryAfter: Math.ceil(RESEND_SECONDS - since) }
  const phone = challenge.phone ?? ''
  const chain = await limitsOf(deps, requester, { ...challenge, phone })
  const limited = await tooManyCodes(deps, chain, now)
  if (limited) return limited
  if (await sendCode(deps, requester, { token, sentAt: challenge.sentAt, phone })) return { ok: true }
  await uncountChain(deps.db, chain, now)
  return { ok: false, reason: 'too-soon', retryAfter: RESEND_SECONDS }
}

/** False when a concurrent request has sent a code: a second one would make it invalid. */
async function sendCode(
  { db, env, now }: IdentityDeps,
  { lang, codeText }: CodeRequester,
  { token, sentAt, phone }: { token: string; sentAt: Date; phone: string },
): Promise<boolean> {
  const code = await renewCode(db, token, sentAt, env.sessionSecret, now())
  if (code === null) return false
  const text = fillSms(codeText, { code, minutes: CODE_MINUTES }, lang)
  await queueSms(db, { purpose: 'code', event: 'code', phone, text })
  return true
}

/** The limits for sending a code; none where limits are off. */
async function limitsOf(deps: IdentityDeps, requester: CodeRequester, about: CodeSubject): Promise<CountedAttempt[]> {
  if (!deps.env.rateLimit) return []
  const known = await knownBrowserOf(deps, requester, about)
  return known ? knownCodesSent(known) : codesSent(about.phone, requester.ip)
}

/** Counts a code before it is sent. Null when it may be sent. */
async function tooManyCodes(deps: IdentityDeps, chain: readonly CountedAttempt[], now: Date): Promise<TooMany | null> {
  const limited = await countChain(deps.db, chain, now)
  if (limited?.key === CODES_IN_ALL)
    deps.log.error({ maxPerDay: MAX_CODES_A_DAY }, 'the daily limit of SMS codes is reached: possible abuse')
  return limited && { ok: false, reason: 'too-many', retryAfter: limited.retryAfter }
}

/** The number that a code verifies, and the purpose. */
export interface CodeSubject {
  purpose: Challenge['purpose']
  phone: string
  userId?: number | null
}

/** The browser, if the account of the number knows it: it has signed in to the account before, or is signed in now. */
export async function knownBrowserOf(
  deps: IdentityDeps,
  { knownCookie }: Pick<CodeRequester, 'knownCookie'>,
  { purpose, phone, userId }: CodeSubject,
): Promise<KnownBrowser | null> {
  if (purpose === 'confirm' && userId) return { userId, browserId: 'signed-in' }
  return findKnownBrowser(deps, knownCookie, { phone })
}
