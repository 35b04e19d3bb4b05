/** Settings of a connection by their names in PostgreSQL; timeouts in milliseconds. */
export type Session = Readonly<Record<string, string | number>>

/**
 * What the driver and the SQL of the shop rely on. Hosting companies change these defaults for a server, a database or a role: another
 * DateStyle makes timestamps unreadable, `repeatable read` makes concurrent orders fail.
 */
const FIXED: Session = {
  TimeZone: 'UTC',
  DateStyle: 'ISO, MDY',
  IntervalStyle: 'postgres',
  bytea_output: 'hex',
  extra_float_digits: 1,
  standard_conforming_strings: 'on',
  transform_null_equals: 'off',
  default_transaction_isolation: 'read committed',
  idle_session_timeout: 0,
}

/** PostgreSQL has it from version 17. It would end backups and migrations, which take their time. */
const SINCE_17 = `case when current_setting('transaction_timeout', true) is not null then set_config('transaction_timeout', '0', false) end`

/**
 * The statement that begins a connection. Not sent as startup parameters: poolers refuse or drop these, and `options` in the URL would
 * replace them. The columns `pid` and `replica` tell the server's process, and whether it only reads.
 */
export function beginSession(session: Session): string {
  const settings = Object.entries({ ...FIXED, ...session }).map(([name, value]) => `set_config('${name}', '${value}', false)`)
  return `select ${[...settings, SINCE_17].join(', ')}, pg_backend_pid() as pid, pg_is_in_recovery() as replica`
}
