import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod'
import { isAdminOrItsApi } from '#features/auth/admin-path-rules.ts'
import { HashingBusyError } from '#features/auth/passwords.server.ts'
import { isDatabaseAway } from '#lib/db/db.server.ts'
import { isBucketAway } from '#lib/files/bucket-error.server.ts'
import { isDiskFull, isDiskReadOnly } from '#lib/files/disk-full.server.ts'
import { issueMessageKey } from '#lib/form-messages.ts'
import { localPath } from '#lib/http/local-path.ts'
import { wantsPage } from '#lib/http/request-kind.server.ts'
import { type MessageKey, textByData, textByKey, translate } from '#lib/i18n/translate.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { escapeHtml } from '#lib/format/escape.ts'
import { REPLY_TIMEOUT } from './request-timeout.ts'
import '#messages/bn-admin.ts'
import '#messages/en-admin.ts'
import '#messages/bn-account.ts'
import '#messages/en-account.ts'

export interface ErrorDetails {
  /** Text instead of the message of the key. */
  text?: string
  /** Per field, dots for lines: `products.0.quantity`. */
  errors?: Record<string, string[]>
  retryAfterSeconds?: number
  /** The request id of a 500, to find it in the log. */
  request_id?: string
  /** The current quote of a rejected order, or the unavailable product. */
  [more: string]: unknown
}

declare module 'fastify' {
  interface FastifyReply {
    /** Rejects the request: JSON `{message, error, errors?}` for API clients, the error page for browsers. */
    fail(status: number, key: MessageKey, details?: ErrorDetails): FastifyReply | Promise<FastifyReply>
  }
  interface FastifyContextConfig {
    /** The route replies with pages, not JSON. */
    page?: boolean
  }
}

/** Renders the error page; `message` when it says more than the status. */
export type ErrorPage = (request: FastifyRequest, reply: FastifyReply, status: number, message: string | null) => Promise<FastifyReply>

/** Messages that only repeat the status. */
const PLAIN = new Set<MessageKey>(['error.not-found', 'error.not-allowed', 'error.away', 'error.unexpected'])

/** Timeouts of a statement or lock, deadlock, serialization failure: a retry succeeds. */
const BUSY_DATABASE = new Set(['57014', '55P03', '40P01', '40001'])

/** Text that PostgreSQL cannot store (NUL, half a surrogate pair): invalid input. */
const UNSTORABLE_TEXT = new Set(['22021', '22P05'])

/** The message with the errors of the fields: a page has no fields beside which they could stand. */
function withFieldErrors(message: string, errors: Record<string, string[]> = {}): string {
  const texts = [...new Set(Object.values(errors).flat())].filter((text) => text !== message)
  return texts.length === 0 ? message : `${message}: ${texts.join(' · ')}`
}

/** The reply when the error page itself fails. */
function plainPage(reply: FastifyReply, status: number, message: string, error: unknown): FastifyReply {
  reply.log.error({ err: error }, 'the error page failed')
  return reply
    .code(status)
    .type('text/html; charset=utf-8')
    .send(`<!doctype html><meta charset="utf-8"><title>Khamar</title><p>${escapeHtml(message)}</p><p><a href="/">Khamar</a></p>`)
}

/** Registers `reply.fail`, the 404 handler and the error handler: every 4xx and 5xx is made here. */
export function registerErrorHandler(app: FastifyInstance, errorPage: ErrorPage): void {
  app.decorateReply('fail', function fail(this: FastifyReply, status: number, key: MessageKey, details: ErrorDetails = {}) {
    const { text, retryAfterSeconds, ...rest } = details
    if (retryAfterSeconds !== undefined) this.header('retry-after', retryAfterSeconds)
    this.header('cache-control', 'no-store')
    const t = textByKey(this.request.viewer?.lang ?? 'en')
    const message = text ?? t(key)
    if (wantsPage(this.request)) {
      const shown = text ?? withFieldErrors(message, rest.errors)
      return errorPage(this.request, this, status, PLAIN.has(key) ? null : shown).catch((error) => plainPage(this, status, shown, error))
    }
    return this.code(status)
      .type('application/json; charset=utf-8')
      .send({ message, error: message, ...rest })
  })

  app.setNotFoundHandler((request, reply) => {
    const page = renamedPage(request) ?? pathWithoutSlash(request)
    return page === null ? reply.fail(404, 'error.not-found') : reply.redirect(page, 308)
  })

  app.setErrorHandler((error: FastifyError, request, reply) => {
    if (hasZodFastifySchemaValidationErrors(error)) {
      return reply.fail(422, 'error.invalid', { errors: fieldErrors(error.validation, request.viewer?.lang ?? 'en') })
    }
    return failUnavailable(error, request, reply) ?? failByStatus(error, request, reply)
  })
}

/** Pages under `/admin/quick-orders/` by the names that bookmarks, and POS pages of an earlier release, have. */
const RENAMED_PAGES = new Map([
  ['return-slip', 'return-receipts'],
  ['account-slip', 'account-receipts'],
  ['day-paper', 'day-report'],
])

/** The path and query of a renamed page under its present name; null for other requests. */
function renamedPage({ method, url }: FastifyRequest): string | null {
  const [, name = '', rest = ''] = /^\/admin\/quick-orders\/([\w-]+)((?:\/\d+)?(?:\?.*)?)$/.exec(url) ?? []
  const present = RENAMED_PAGES.get(name)
  return present !== undefined && (method === 'GET' || method === 'HEAD') ? `/admin/quick-orders/${present}${rest}` : null
}

/** The path and query of a page whose address ends with slashes, without them; null for other requests. */
function pathWithoutSlash(request: FastifyRequest): string | null {
  const { method, url } = request
  if ((method !== 'GET' && method !== 'HEAD') || !wantsPage(request)) return null
  const [path = ''] = url.split('?', 1)
  let end = path.length
  while (end > 1 && path[end - 1] === '/') end -= 1
  return end === path.length ? null : localPath(path.slice(0, end) + url.slice(path.length), null)
}

type Response = FastifyReply | Promise<FastifyReply>

/** The response to errors of the disk, the hashing queue and the database; null for other errors. */
function failUnavailable(error: FastifyError, request: FastifyRequest, reply: FastifyReply): Response | null {
  const isForStaff = isAdminOrItsApi(request.url)
  const isFull = isDiskFull(error)
  if (isFull || isDiskReadOnly(error)) {
    request.log.error({ err: error }, isFull ? 'the disk is full' : 'the disk cannot be written to')
    const words = isFull ? 'admin.disk-full' : 'admin.disk-read-only'
    return reply.fail(503, isForStaff ? words : 'error.away', { retryAfterSeconds: 60 })
  }
  if (isBucketAway(error)) {
    request.log.error({ err: error }, 'the bucket of uploads cannot be used')
    return reply.fail(503, isForStaff ? 'admin.uploads-away' : 'error.away', { retryAfterSeconds: 30 })
  }
  if (error instanceof HashingBusyError) return reply.fail(503, 'auth.busy', { retryAfterSeconds: error.retryAfterSeconds })
  const isLate = error.code === REPLY_TIMEOUT
  if (isLate || isDatabaseAway(error) || BUSY_DATABASE.has(error.code)) {
    request.log.warn({ code: error.code }, isLate ? 'a reply timed out' : 'database away')
    return reply.fail(503, 'error.away', { retryAfterSeconds: 2 })
  }
  if (UNSTORABLE_TEXT.has(error.code)) return reply.fail(422, 'error.invalid', { errors: {} })
  return null
}

function failByStatus(error: FastifyError, request: FastifyRequest, reply: FastifyReply): Response {
  const status = error.statusCode ?? 500
  switch (status) {
    case 400:
    case 422:
      return reply.fail(status, 'error.invalid', { errors: {} })
    // The file server's codes for a folder and for a path outside the root.
    case 403:
    case 404:
      return reply.fail(404, 'error.not-found')
    case 409:
      return reply.fail(409, 'error.key-reused')
    case 413:
      return reply.fail(413, 'error.too-large')
    case 429:
      return reply.fail(429, 'error.too-many')
    default:
      // A type, a range or a condition that cannot be met.
      if (status < 500) return reply.fail(status, 'error.unsupported')
      request.log.error({ err: error }, 'unexpected error')
      return reply.fail(500, 'error.unexpected', { request_id: request.id })
  }
}

interface Issue {
  instancePath: string
  keyword?: string
  message?: string
  params?: object
}

/** Messages of schemas are text keys. The library's own English messages are replaced. */
function fieldErrors(issues: Issue[], lang: Lang): Record<string, string[]> {
  const t = textByData(translate(lang))
  const errors: Record<string, string[]> = {}
  for (const issue of issues) {
    const field = issue.instancePath.replace(/^\//, '').replaceAll('/', '.') || 'body'
    ;(errors[field] ??= []).push(t(messageKeyOf(issue)))
  }
  return errors
}

/** The message key of an issue that carries none. */
function messageKeyOf({ keyword, message = '', params }: Issue): MessageKey {
  const isText = params !== undefined && 'origin' in params && params.origin === 'string'
  return issueMessageKey(message, { code: keyword, isText, isUndefined: message.endsWith('received undefined') })
}
