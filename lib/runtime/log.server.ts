import pg from 'pg'
import { pino, type DestinationStream, type Logger } from 'pino'

/** The logged parts of an error: enough to find the cause, without customer input. */
export interface LoggedError {
  type: string
  message: string
  code?: string
  constraint?: string
  schema?: string
  table?: string
  column?: string
  routine?: string
  /** Stack frames without the first line, which repeats the message. */
  stack?: string
  cause?: LoggedError
  errors?: LoggedError[]
}

/** Levels of the setting LOG_LEVEL, the most verbose first. */
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

export type LogLevel = (typeof LOG_LEVELS)[number]

const MAX_DEPTH = 4
const MAX_ERRORS = 5
const MAX_MESSAGE = 500
const MAX_FRAMES = 20

/**
 * The log of the process, as lines of JSON on standard output. Errors are reduced by `describeError`, whether they are passed as `err`,
 * alone, or without a message.
 */
export function openLog(level: LogLevel, stream?: DestinationStream): Logger {
  return pino(
    {
      level,
      redact: ['req.headers.cookie', 'req.headers.authorization'],
      serializers: { err: describeError, detail: (detail: unknown) => (typeof detail === 'string' ? withoutContacts(detail) : detail) },
      hooks: {
        logMethod(args, method) {
          const [first, message, ...rest] = args as unknown[]
          const fields = first instanceof Error ? { err: first } : first
          const safe = typeof fields === 'string' ? [withoutContacts(fields), message] : [fields, message ?? errorMessageOf(fields)]
          method.apply(this, [...safe, ...rest] as Parameters<typeof method>)
        },
      },
    },
    stream as DestinationStream,
  )
}

/** The message of a line that has an error only. pino would use the error's own message, which may hold customer input. */
function errorMessageOf(fields: unknown): string | undefined {
  const error = (fields as { err?: unknown } | null)?.err
  return error instanceof Error ? describeError(error).message : undefined
}

/** Reduces an error to what may be logged. PostgreSQL's `detail` and `where` hold whole rows, other libraries keep their input. */
export function describeError(error: unknown, depth = 0): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: typeof error === 'string' ? withoutContacts(error) : '' }
  const { code, constraint, schema, table, column, routine, errors } = error as pg.DatabaseError & { errors?: unknown }
  const isNested = depth < MAX_DEPTH
  return {
    type: error.constructor.name || error.name,
    message: messageOf(error),
    ...texts({ code, constraint, schema, table, column, routine }),
    stack: framesOf(error),
    ...(isNested && error.cause !== undefined ? { cause: describeError(error.cause, depth + 1) } : {}),
    ...(isNested && error instanceof AggregateError && Array.isArray(errors)
      ? { errors: errors.slice(0, MAX_ERRORS).map((one) => describeError(one, depth + 1)) }
      : {}),
  }
}

/** The same as text, for a console. */
export function errorText(error: unknown): string {
  return textOf(describeError(error))
}

function textOf({ type, message, stack, cause, ...fields }: LoggedError): string {
  const more = Object.entries(fields).map(([name, value]) => ` ${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
  const because = cause ? `\ncaused by ${textOf(cause)}` : ''
  return `${type}: ${message}${more.join('')}${stack ? `\n${stack}` : ''}${because}`
}

/** SQLSTATE classes whose messages contain names of the schema or the server, never a value. */
const NAMES_NO_VALUE = /^(08|23|25|28|3D|40|42|53|55|57|58|XX)/

function messageOf(error: Error): string {
  if (error instanceof pg.DatabaseError)
    return withoutContacts(NAMES_NO_VALUE.test(error.code ?? '') ? error.message : upToQuote(error.message))
  if ('issues' in error && Array.isArray(error.issues)) return issueTexts(error.issues)
  // The JSON parser quotes its input.
  if (error instanceof SyntaxError) return upToQuote(error.message)
  return withoutContacts(error.message)
}

function upToQuote(message: string): string {
  const at = message.search(/["'`“]/)
  return withoutContacts(at < 0 ? message : `${message.slice(0, at).trimEnd()} …`)
}

/** A zod error as fields and issue codes, without the input. */
function issueTexts(issues: unknown[]): string {
  const listed = (issues as { path?: unknown[]; code?: unknown }[])
    .slice(0, MAX_ERRORS)
    .map(
      ({ path = [], code }) =>
        `${path.map((part) => (typeof part === 'number' ? '#' : String(part))).join('.') || 'value'}: ${String(code)}`,
    )
  return withoutContacts(`invalid input (${listed.join(', ')})`)
}

const PHONE = /(?:\+?(?:88|৮৮)[ -]?)?[0০][ -]?[1১][3-9৩-৯](?:[ -]?[0-9০-৯]){8}/g
const EMAIL = /[^\s@"'<>()]{1,64}@[^\s@"'<>()]{1,255}/g

/** Hides phone numbers, email addresses and passwords of database addresses. */
function withoutContacts(text: string): string {
  return text.slice(0, MAX_MESSAGE).replace(PHONE, '[phone]').replace(EMAIL, '[email]')
}

function framesOf({ stack = '', message }: Error): string {
  const end = message ? stack.indexOf(message) + message.length : 0
  const lines = stack.slice(end).split('\n')
  return lines
    .filter((line) => /^\s+at /.test(line))
    .slice(0, MAX_FRAMES)
    .join('\n')
}

function texts(fields: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}
