import { SettingsError } from '#lib/runtime/settings-error.ts'
import { MigrationError } from './apply-migration.ts'

/** PostgreSQL's errors for rejected connections: unknown user or password, no such database, starting up. */
const REFUSED = /^(28...|3D000|57P03)$/
/** The role may not create tables or the extension, or may not use what is there: another role owns the database or its tables. */
const NOT_OWNER = '42501'
/** The role may use no schema of its `search_path`. */
const NO_SCHEMA = '3F000'
/** Node's codes of a certificate of an authority that it does not know. */
const UNKNOWN_AUTHORITY = /^(SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_)/
/** The driver's text for a server that asks for a password where the URL has none. */
const NO_PASSWORD = /^SASL: .*password must be a /
/** Node's codes of a certificate that is not accepted, and the driver's texts, which have no code. */
const TLS_CODES = /^(CERT_|DEPTH_ZERO_|ERR_TLS_|SELF_SIGNED_|UNABLE_TO_)/
const TLS_TEXTS = /^(The server does not support SSL connections|There was an error establishing an SSL connection)/

/** For a database of one's own that cannot be reached or entered, the one line to show; any other error as it is. */
export function explainUnusable(error: unknown): unknown {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : refusalOf(error)
  if (!(first instanceof Error)) return error
  const { code = '', syscall = '' } = first as NodeJS.ErrnoException
  if (UNKNOWN_AUTHORITY.test(code)) return unusable('the authority of its certificate is unknown here; name its file with sslrootcert')
  const isOut =
    syscall === 'connect' || syscall === 'getaddrinfo' || REFUSED.test(code) || TLS_CODES.test(code) || TLS_TEXTS.test(first.message)
  if (isOut) return unusable(first.message)
  if (code === NOT_OWNER || code === NO_SCHEMA)
    return unusable(`${first.message}; its user must own the database and what is in it, or have rights to create there`)
  return NO_PASSWORD.test(first.message) ? unusable('it asks for a password, and DATABASE_URL has none') : error
}

/** The cause of a migration that the database refused. */
function refusalOf(error: unknown): unknown {
  const { cause } = error instanceof MigrationError ? error : {}
  return cause instanceof Error && (cause as NodeJS.ErrnoException).code === NOT_OWNER ? cause : error
}

function unusable(reason: string): SettingsError {
  return new SettingsError(`The database of DATABASE_URL cannot be used: ${reason}.`)
}
