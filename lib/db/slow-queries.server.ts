const MAX_SQL = 1_000

/** A query's text on one line. Values are parameters (`$1`), so the text holds none. */
export function shortSql(sql: string): string {
  return sql.replace(/\s+/g, ' ').trim().slice(0, MAX_SQL)
}

/** Logs queries that took at least `slowQueryMs`; undefined when 0 turns it off. */
export function slowQueryLog(
  slowQueryMs: number,
  log: { warn(fields: object, message: string): void },
): ((sql: string, durationMs: number) => void) | undefined {
  if (slowQueryMs === 0) return undefined
  return (sql, durationMs) => {
    if (durationMs >= slowQueryMs) log.warn({ ms: Math.round(durationMs), sql: shortSql(sql) }, 'slow query')
  }
}
