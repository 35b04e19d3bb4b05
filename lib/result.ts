/** An expected outcome: success with a value, or failure with a reason that the caller handles. */
export type Result<Value, Reason> = { ok: true; value: Value } | { ok: false; reason: Reason }

/** A success. */
export function ok<Value>(value: Value): { ok: true; value: Value } {
  return { ok: true, value }
}

/** A failure with its reason. */
export function refused<Reason>(reason: Reason): { ok: false; reason: Reason } {
  return { ok: false, reason }
}
