import { SettingsError } from '#lib/runtime/settings-error.ts'

/** PostgreSQL's errors for rejected connections: unknown user or password, no such database, starting up. */
const REFUSED = /^(28...|3D000|57P03)$/
/** The role may not create tables: it does not own the database. */
const NOT_OWNER = '42501'
/** The driver's text for a server that asks for a password where the URL has none. */
const NO_PASSWORD = /^SASL: .*password must be a /
/** Node's codes of a certificate that is not accepted, and the driver's texts, which have no code. */
const TLS_CODES = /^(CERT_|DEPTH_ZERO_|ERR_TLS_|SELF_SIGNED_|UNABLE_TO_)/
const TLS_TEXTS = /^(The server does not support SSL connections|There was an error establishing an SSL connection)/

/** For a database of one's own that cannot be reached or entered, the one line to show; any other error as it is. */
export function explainUnusable(error: unknown): unknown {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error
  if (!(first instanceof Error)) return error
  const { code = '', syscall = '' } = first as NodeJS.ErrnoException
  const isOut =
    syscall === 'connect' || syscall === 'getaddrinfo' || REFUSED.test(code) || TLS_CODES.test(code) || TLS_TEXTS.test(first.message)
  if (isOut) return unusable(first.message)
  if (code === NOT_OWNER) return unusable(`${first.message}; its user must own the database`)
  return NO_PASSWORD.test(first.message) ? unusable('it asks for a password, and DATABASE_URL has none') : error
}

function unusable(reason: string): SettingsError {
  return new SettingsError(`The database of DATABASE_URL cannot be used: ${reason}.`)
}
