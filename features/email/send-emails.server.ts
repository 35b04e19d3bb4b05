import type { Db } from '#lib/db/db.server.ts'
import type { Settings } from '#features/settings/settings.ts'
import { alarmEmail } from './alarm-email.server.ts'
import type { Email, EmailGateway, EmailOutcome } from './gateway.ts'
import { findOrderEmail } from './order-email.server.ts'
import { claimEmail, type ClaimedEmail, endOldEmails, isInConfirmation, queueConfirmations, recordEmailOutcome } from './outbox.server.ts'

export interface EmailDeps {
  db: Db
  /** Null when email is not configured. */
  email: EmailGateway | null
  env: { publicUrl: string }
  shopCache: { settings(): Promise<Settings> }
  log: { error(detail: object, message: string): void; warn(detail: object, message: string): void }
}

/** Emails that one process sends concurrently. */
const CONCURRENCY = 4

/**
 * Queues the confirmations of new orders and sends due emails until none is left, or the server has a problem: the next run tries it
 * again. Several processes may run it at once.
 */
export async function sendEmails(deps: EmailDeps): Promise<void> {
  if (deps.email === null) return
  await endOldEmails(deps.db)
  await queueConfirmations(deps.db)
  const run = { hasProblem: false }
  await Promise.all(Array.from({ length: CONCURRENCY }, () => work(deps, deps.email!, run)))
}

async function work(deps: EmailDeps, gateway: EmailGateway, run: { hasProblem: boolean }): Promise<void> {
  while (!run.hasProblem) {
    const claimed = await claimEmail(deps.db)
    if (claimed === null) return
    const outcome = await dispatch(deps, gateway, claimed)
    if (outcome.state === 'later' && outcome.isServerProblem) run.hasProblem = true
    if (outcome.state === 'later' || outcome.state === 'refused')
      deps.log.warn({ email: claimed.id, attempt: claimed.attempts, code: outcome.code }, `email ${outcome.state}`)
    await recordEmailOutcome(deps.db, claimed, outcome)
  }
}

async function dispatch(
  deps: EmailDeps,
  gateway: EmailGateway,
  claimed: ClaimedEmail,
): Promise<EmailOutcome | { state: 'skipped'; code: string }> {
  try {
    const email = await compose(deps, claimed)
    return typeof email === 'string' ? { state: 'skipped', code: email } : await gateway.send(email)
  } catch (error) {
    deps.log.error({ err: error, email: claimed.id }, 'an email could not be made')
    return { state: 'later', code: 'fault', isServerProblem: false }
  }
}

/** The message of a row, or the reason why it is not sent. */
async function compose(deps: EmailDeps, claimed: ClaimedEmail): Promise<Email | string> {
  const settings = await deps.shopCache.settings()
  if (claimed.kind === 'alarm') return alarmEmail(claimed, settings, deps.env.publicUrl)
  if (claimed.kind === 'payment-received' && (await isInConfirmation(deps.db, claimed))) return 'in-confirmation'
  return findOrderEmail(deps.db, claimed, settings, deps.env.publicUrl)
}
