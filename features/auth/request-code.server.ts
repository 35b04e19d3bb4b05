import type { Db } from '#lib/db/db.server.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { queueSms } from '#features/messaging/queue-sms.server.ts'
import { fillSms } from '#features/settings/sms/text-rules.ts'
import { type Attempt, countChain, whileCounted } from './attempt-chain.server.ts'
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

/** What the commands of this feature need of the process. */
export interface IdentityDeps {
  db: Db
  now: () => Date
  env: { sessionSecret: string; rateLimit: boolean; publicUrl: string }
  log: { warn(facts: object, text: string): void; error(facts: object, text: string): void }
}

/** From where a code is asked for or shown. */
export interface Asker {
  ip: string
  lang: Lang
  /** The cookie of accounts that this browser has signed in to. */
  knownCookie: string | null
  /** The text that brings a code, with {code} and {minutes}. */
  codeText: string
}

export type TooMany = { ok: false; reason: 'too-many'; retryAfter: number }

interface CodeRequest extends Omit<NewChallenge, 'now' | 'purpose' | 'phone' | 'details'> {
  purpose: CodePurpose
  phone: string
  /** What is kept until the number is proven. Made after the request is counted: it hashes a password. */
  details?: () => Promise<ChallengeDetails>
}

/**
 * Begins something that a code by SMS must prove, and sends the code. It does the same for numbers that are known and that
 * are not: only who holds the phone learns which.
 */
export async function requestCode(
  deps: IdentityDeps,
  asker: Asker,
  { details, ...wanted }: CodeRequest,
): Promise<{ ok: true; token: string } | TooMany> {
  const now = deps.now()
  const chain = await limitsOf(deps, asker, wanted)
  const refused = await tooManyCodes(deps, chain, now)
  if (refused) return refused
  const kept = (await whileCounted(deps.db, chain, now, async () => details?.())) ?? {}
  const token = await openChallenge(deps.db, { ...wanted, details: kept, now })
  await sendCode(deps, asker, wanted.phone, token)
  return { ok: true, token }
}

/** Sends a new code for what was begun. */
export async function resendCode(
  deps: IdentityDeps,
  asker: Asker,
  token: string,
  challenge: Challenge,
): Promise<{ ok: true } | TooMany | { ok: false; reason: 'too-soon'; retryAfter: number }> {
  const since = (deps.now().getTime() - challenge.sentAt.getTime()) / 1000
  if (since < RESEND_SECONDS) return { ok: false, reason: 'too-soon', retryAfter: Math.ceil(RESEND_SECONDS - since) }
  const phone = challenge.phone ?? ''
  const refused = await tooManyCodes(deps, await limitsOf(deps, asker, { ...challenge, phone }), deps.now())
  if (refused) return refused
  await sendCode(deps, asker, phone, token)
  return { ok: true }
}

async function sendCode({ db, env, now }: IdentityDeps, { lang, codeText }: Asker, phone: string, token: string): Promise<void> {
  const code = await renewCode(db, token, env.sessionSecret, now())
  const text = fillSms(codeText, { code, minutes: CODE_MINUTES }, lang)
  await queueSms(db, { purpose: 'code', event: 'code', phone, text })
}

/** How often a code may be sent; no limits where limits are off. */
async function limitsOf(deps: IdentityDeps, asker: Asker, about: CodeSubject): Promise<Attempt[]> {
  if (!deps.env.rateLimit) return []
  const known = await knownBrowserOf(deps, asker, about)
  return known ? knownCodesSent(known) : codesSent(about.phone, asker.ip)
}

/** Counts a code that is to be sent; null when it may be. */
async function tooManyCodes(deps: IdentityDeps, chain: readonly Attempt[], now: Date): Promise<TooMany | null> {
  const refused = await countChain(deps.db, chain, now)
  if (refused?.key === CODES_IN_ALL)
    deps.log.error({ mostADay: MAX_CODES_A_DAY }, 'the day’s budget of SMS codes is used up: somebody may be sending them to strangers')
  return refused && { ok: false, reason: 'too-many', retryAfter: refused.retryAfter }
}

/** What a code is about: whose number it proves, and to what end. */
export interface CodeSubject {
  purpose: Challenge['purpose']
  phone: string
  userId?: number | null
}

/** The browser as the account of the number knows it: because it has signed in to it before, or is signed in now. */
export async function knownBrowserOf(
  deps: IdentityDeps,
  { knownCookie }: Pick<Asker, 'knownCookie'>,
  { purpose, phone, userId }: CodeSubject,
): Promise<KnownBrowser | null> {
  if (purpose === 'confirm' && userId) return { userId, browserId: 'signed-in' }
  return findKnownBrowser(deps, knownCookie, { phone })
}
