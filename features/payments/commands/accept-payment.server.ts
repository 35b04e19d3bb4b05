import { sql } from 'kysely'
import { creditPayment } from '#features/payments/commands/credit-payment.server.ts'
import type { PaymentDeps } from '#features/payments/deps.ts'
import { findAttempt } from '#features/payments/queries.server.ts'
import { judgePayment } from '#features/payments/settlement-rules.ts'

export type AcceptResult = { ok: true } | { ok: false; reason: 'not-in-review' | 'not-paid' | 'mismatch' }

/** A member of staff has looked at a risky payment and takes it. The gateway is asked once more, so a reversed one is not taken. */
export async function acceptReviewedPayment(deps: PaymentDeps, attemptId: number, staffId: number): Promise<AcceptResult> {
  const attempt = await findAttempt(deps.db, attemptId)
  if (attempt?.state !== 'review') return { ok: false, reason: 'not-in-review' }
  const paid = await deps.gateways[attempt.gateway]?.query(attempt)
  if (paid?.state !== 'paid') return { ok: false, reason: 'not-paid' }
  const judgement = judgePayment(paid, attempt)
  if (judgement !== 'accept' && judgement !== 'review') return { ok: false, reason: 'mismatch' }
  await sql`insert into order_events (order_id, at, actor_id, actor, kind, detail)
    values (${attempt.orderId}, ${deps.now()}, ${staffId}, 'staff', 'payment-accepted', ${JSON.stringify({ attemptId })}::jsonb)`.execute(
    deps.db,
  )
  await creditPayment(deps, attempt, paid)
  return { ok: true }
}
