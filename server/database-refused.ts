import { SettingsError } from '#lib/runtime/settings-error.ts'

/** PostgreSQL's errors for rejected connections: unknown user or password, no such database, starting up. */
const REFUSED = /^(28...|3D000|57P03)$/

/** For a database of one's own that cannot be reached or entered, the one line to show; any other error as it is. */
export function explainUnusable(error: unknown): unknown {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error
  if (!(first instanceof Error)) return error
  const { code = '', syscall = '' } = first as NodeJS.ErrnoException
  const isOut = syscall === 'connect' || syscall === 'getaddrinfo' || REFUSED.test(code)
  return isOut ? new SettingsError(`The database of DATABASE_URL cannot be used: ${first.message}.`) : error
}
