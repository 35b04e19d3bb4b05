import type { Db } from '#lib/db.server.ts'
import type { Lang } from '#lib/lang.ts'
import { queueSms } from '#features/messaging/queue-sms.server.ts'
import { fillSms } from '#features/messaging/rules.ts'
import { countAttempt } from './attempts.server.ts'
import { type Challenge, type CodePurpose, type NewChallenge, openChallenge, renewCode } from './challenges.server.ts'
import { CODE_MINUTES, RESEND_SECONDS, SENT } from './code-rules.ts'

/** What the commands of this feature need of the process. */
export interface IdentityDeps {
  db: Db
  now: () => Date
  env: { sessionSecret: string; rateLimit: boolean; publicUrl: string }
  log: { warn(facts: object, text: string): void; error(facts: object, text: string): void }
}

/** From where somebody asks. */
export interface Asker {
  ip: string
  lang: Lang
  /** The text that brings a code, with {code} and {minutes}. */
  codeText: string
}

export type TooMany = { ok: false; reason: 'too-many'; retryAfter: number }

/**
 * Begins something that a code by SMS must prove, and sends the code. It does the same for numbers that are known and that
 * are not: only who holds the phone learns which.
 */
export async function requestCode(
  deps: IdentityDeps,
  asker: Asker,
  wanted: Omit<NewChallenge, 'now' | 'purpose' | 'phone'> & { purpose: CodePurpose; phone: string },
): Promise<{ ok: true; token: string } | TooMany> {
  const wait = await tooManyCodes(deps, asker, wanted.phone)
  if (wait > 0) return { ok: false, reason: 'too-many', retryAfter: wait }
  const token = await openChallenge(deps.db, { ...wanted, now: deps.now() })
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
  const wait = await tooManyCodes(deps, asker, phone)
  if (wait > 0) return { ok: false, reason: 'too-many', retryAfter: wait }
  await sendCode(deps, asker, phone, token)
  return { ok: true }
}

async function sendCode({ db, env, now }: IdentityDeps, { lang, codeText }: Asker, phone: string, token: string): Promise<void> {
  const code = await renewCode(db, token, env.sessionSecret, now())
  const text = fillSms(codeText, { code, minutes: CODE_MINUTES }, lang)
  await queueSms(db, { purpose: 'code', event: 'code', phone, text })
}

/** The seconds until another code may be sent; 0 when one may now. The day's budget of all is the last to be touched: who is refused before costs nothing. */
async function tooManyCodes(deps: IdentityDeps, { ip }: Asker, phone: string): Promise<number> {
  if (!deps.env.rateLimit) return 0
  const now = deps.now()
  const counted = [
    [`code-to:${phone}`, SENT.perNumber],
    [`code-to-day:${phone}`, SENT.perNumberAndDay],
    [`code-from:${ip}`, SENT.perAddress],
  ] as const
  for (const [key, limit] of counted) {
    const wait = await countAttempt(deps.db, key, limit, now)
    if (wait > 0) return wait
  }
  const wait = await countAttempt(deps.db, 'codes-in-all', SENT.inAll, now)
  if (wait > 0)
    deps.log.error({ mostADay: SENT.inAll.most }, 'the day’s budget of SMS codes is used up: somebody may be sending them to strangers')
  return wait
}
