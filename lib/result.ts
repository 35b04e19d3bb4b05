/** An expected outcome: done, with what came of it, or refused, with a reason the caller switches on. */
export type Result<Value, Reason> = { ok: true; value: Value } | { ok: false; reason: Reason }

export function ok<Value>(value: Value): { ok: true; value: Value } {
  return { ok: true, value }
}

export function refused<Reason>(reason: Reason): { ok: false; reason: Reason } {
  return { ok: false, reason }
}
