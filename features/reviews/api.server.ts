import multipart, { type MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { z } from 'zod'
import { type AttemptLimit, countAttempts } from '#features/auth/attempts.server.ts'
import {
  discardPicture,
  type ImageRefusal,
  limitEncoding,
  MAX_IMAGE_BYTES,
  storeImage,
  type StoredImage,
} from '#features/catalog/media/images.server.ts'
import { orderVisitor } from '#features/orders/order-access.server.ts'
import type { OrderVisitor } from '#features/orders/queries.server.ts'
import { KeyedLimit } from '#lib/async/keyed-limit.ts'
import type { Db } from '#lib/db/db.server.ts'
import type { Uploads } from '#lib/files/uploads.server.ts'
import { idParams, viewKeyQuery } from '#lib/form-fields.ts'
import { issueMessageKey } from '#lib/form-messages.ts'
import { UPLOAD_TIMEOUT_MS } from '#lib/http/upload-timeout.ts'
import { type MessageKey, textByKey, translate } from '#lib/i18n/translate.ts'
import { type ReviewInput, reviewFields } from './forms.ts'
import { listOwnReviews } from './queries.server.ts'
import { MAX_REVIEW_PICTURES } from './rules.ts'
import { findReviewConflict, type ReviewConflict, saveReview } from './save-review.server.ts'

const PER_ORDER: AttemptLimit = { max: 40, windowSeconds: 3600 }
const MAX_FIELD_BYTES = 16 * 1024
/**
 * Pictures of one order in memory, of up to 12 MB each: forty requests at once would hold half a gigabyte. The others are not read from
 * their connections meanwhile. Two, so that one whose network has gone keeps no other waiting.
 */
const picturesOfOrder = new KeyedLimit<number>(2)

const STATUSES: Record<ReviewConflict, number> = { 'not-found': 404, 'not-delivered': 409, published: 409, 'too-many-pictures': 422 }

interface ReviewsDeps {
  db: Db
  uploads: Uploads
  now: () => Date
  env: { rateLimit: boolean }
}

/** The route with which a buyer reviews a product of a delivered order: signed in, from the browser that ordered, or by the order's link. */
export function reviewsApi(deps: ReviewsDeps): FastifyPluginAsyncZod {
  return async (app) => {
    await app.register(multipart, {
      limits: { files: MAX_REVIEW_PICTURES, fields: 5, parts: 5 + MAX_REVIEW_PICTURES, fieldSize: MAX_FIELD_BYTES, headerPairs: 20 },
    })

    app.post(
      '/orders/:id/reviews',
      {
        config: { rateLimit: { max: 20, timeWindow: '1 minute' }, timeoutMs: UPLOAD_TIMEOUT_MS },
        schema: {
          tags: ['orders'],
          summary: 'Review a product of a delivered order (multipart: product_id, rating, body, keep, then up to three pictures)',
          consumes: ['multipart/form-data'],
          params: idParams,
          querystring: viewKeyQuery,
        },
      },
      async (request, reply) => {
        if (!request.isMultipart()) return reply.fail(422, 'error.invalid', { errors: {} })
        // Staff review as other buyers do: their permissions open no orders here.
        const sent = new SentReview(deps, request, request.params.id, orderVisitor(request.viewer, request.query.key))
        const problem = await sent.read().catch((error: unknown) => sent.problemOf(error))
        if (problem === null) {
          const { lang } = request.viewer
          return { message: translate(lang)('review.saved'), reviews: await listOwnReviews(deps.db, request.params.id) }
        }
        await sent.discard()
        const { status, key, ...detail } = problem
        return reply.fail(status, key, detail)
      },
    )
  }
}

/** Why a review is rejected: at a field, or as a whole. */
type Problem = { status: number; key: MessageKey; errors?: Record<string, string[]>; retryAfterSeconds?: number }

/** A review as it arrives. Pictures come after the fields, so that no picture is encoded for a review that is rejected. */
class SentReview {
  readonly #deps: ReviewsDeps
  readonly #request: FastifyRequest
  readonly #orderId: number
  readonly #visitor: OrderVisitor
  readonly #fields: Record<string, unknown> = Object.create(null) as Record<string, unknown>
  readonly #pictures: StoredImage[] = []
  #input: ReviewInput | null = null

  constructor(deps: ReviewsDeps, request: FastifyRequest, orderId: number, visitor: OrderVisitor) {
    this.#deps = deps
    this.#request = request
    this.#orderId = orderId
    this.#visitor = visitor
  }

  /** Reads and saves the review; null when it is saved. */
  async read(): Promise<Problem | null> {
    let problem: Problem | null = null
    for await (const part of this.#request.parts({ limits: { fileSize: MAX_IMAGE_BYTES } })) {
      if (part.type === 'field') this.#fields[part.fieldname] = part.fieldname in this.#fields ? null : part.value
      // Read to the end: browsers report no answer that comes before they have sent everything.
      else if (problem) part.file.resume()
      else {
        problem = await this.#check()
        if (problem) part.file.resume()
        else problem = await this.#store(part)
      }
    }
    problem ??= await this.#check()
    if (problem) return problem
    const added = this.#pictures.map(({ imageId }) => imageId)
    const saved = await saveReview(this.#deps.db, this.#orderId, this.#visitor, this.#input!, added)
    return saved.ok ? null : conflict(saved.reason)
  }

  /** Deletes the pictures of a rejected review. */
  async discard(): Promise<void> {
    for (const { picture } of this.#pictures) await discardPicture(this.#deps.db, this.#deps.uploads, picture)
  }

  /**
   * The error of a body that could not be read. Other errors are thrown: the review may be stored although its answer was lost, so its pictures
   * are left to the deletion of unused uploads.
   */
  problemOf(error: unknown): Problem {
    const code = (error as { code?: unknown }).code
    if (code === 'FST_REQ_FILE_TOO_LARGE') return this.#atPictures('upload.too-large', 413)
    if (code === 'FST_FILES_LIMIT' || code === 'FST_PARTS_LIMIT') return this.#atPictures('review.too-many-pictures')
    if (typeof code === 'string' && code.startsWith('FST_')) return { status: 422, key: 'error.invalid', errors: {} }
    throw error
  }

  /** Checks order, fields and limit once. Only requests of buyers count, so that others cannot use up their attempts. */
  async #check(): Promise<Problem | null> {
    if (this.#input) return null
    const parsed = reviewFields.safeParse(this.#fields)
    // The errors of the fields must not tell an order of others from a missing one.
    const productId = parsed.success ? parsed.data.product_id : Number(this.#fields.product_id) || 0
    const isId = Number.isSafeInteger(productId)
    const reason = isId ? await findReviewConflict(this.#deps.db, this.#orderId, productId, this.#visitor) : 'not-found'
    if (reason !== null) return conflict(reason)
    if (!parsed.success) return { status: 422, key: 'error.invalid', errors: this.#errorsOf(parsed.error) }
    const { db, env, now } = this.#deps
    const wait = env.rateLimit ? await countAttempts(db, [{ key: `review:${this.#orderId}`, limit: PER_ORDER }], now()) : 0
    if (wait > 0) return { status: 429, key: 'error.too-many', retryAfterSeconds: wait }
    this.#input = parsed.data
    return null
  }

  async #store(part: MultipartFile): Promise<Problem | null> {
    const stored = await picturesOfOrder.run(this.#orderId, async () => {
      const bytes = await part.toBuffer()
      // A file field without a choice is sent as an empty file.
      return bytes.byteLength === 0 ? null : limitEncoding(() => storeImage(this.#deps.db, this.#deps.uploads, bytes))
    })
    if (stored === null) return null
    if (!stored.ok) return this.#atPictures(`upload.${stored.reason satisfies ImageRefusal}`, stored.reason === 'too-large' ? 413 : 422)
    this.#pictures.push(stored)
    return null
  }

  #atPictures(key: MessageKey, status = 422): Problem {
    return { status, key, errors: { pictures: [this.#text(key)] } }
  }

  #errorsOf(error: z.ZodError): Record<string, string[]> {
    const errors: Record<string, string[]> = {}
    for (const { path, message, code } of error.issues) {
      const field = path[0] === 'keep' ? 'pictures' : String(path[0] ?? 'body')
      ;(errors[field] ??= []).push(this.#text(issueMessageKey(message, { code, isText: false, isUndefined: false })))
    }
    return errors
  }

  #text(key: MessageKey): string {
    return textByKey(this.#request.viewer.lang)(key)
  }
}

function conflict(reason: ReviewConflict): Problem {
  return { status: STATUSES[reason], key: reason === 'not-found' ? 'error.not-found' : `review.${reason}` }
}
