import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { sql } from 'kysely'
import { countFormAttempt } from '#features/auth/form-attempts.server.ts'
import type { ProductStatus } from '#features/catalog/types.ts'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { translate } from '#lib/i18n/translate.ts'
import { productWaitBody } from './forms.ts'
import { canBeAwaited } from './rules.ts'

const MAX_PER_PHONE_AND_HOUR = 10
/** Products that a phone waits for at a time: each costs an SMS, and every visitor may state any number. */
const MAX_PER_PHONE = 20

/** The public route for people who wait for a product. */
export function productWaitsApi(deps: {
  db: Db
  now: () => Date
  env: { rateLimit: boolean }
  sms: { readonly canSend: boolean }
}): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      '/api/product-waits',
      {
        config: { rateLimit: { max: 10, timeWindow: '1 minute' } },
        schema: { tags: ['catalog'], summary: 'Get one SMS when a product can be ordered again', body: productWaitBody },
      },
      async (request, reply) => {
        if (!deps.sms.canSend) return reply.fail(503, 'wait.no-sms')
        const { product_id: productId, phone } = request.body
        const wait = await countFormAttempt(deps, 'product-wait', { phone, ip: request.ip }, MAX_PER_PHONE_AND_HOUR)
        if (wait > 0) return reply.fail(429, 'error.too-many', { retryAfterSeconds: wait })
        const { lang } = request.viewer
        const stored = await inTransaction(deps.db, (tx) => storeWait(tx, { productId, phone, lang }))
        if (stored === 'missing') return reply.fail(404, 'error.not-found')
        if (stored === 'too-many') return reply.fail(429, 'error.too-many')
        if (stored === 'refused') return reply.fail(409, 'wait.not-needed')
        return reply.code(201).send({ message: translate(lang)('wait.sent') })
      },
    )
  }
}

/** Stores one wait a product and phone. A repeated one changes the language. */
async function storeWait(
  tx: Db,
  wait: { productId: number; phone: string; lang: Lang },
): Promise<'stored' | 'missing' | 'refused' | 'too-many'> {
  const { rows } = await sql<{ status: ProductStatus }>`select status from products where id = ${wait.productId} and visible`.execute(tx)
  const product = rows[0]
  if (!product) return 'missing'
  if (!canBeAwaited(product.status)) return 'refused'
  // Requests of a phone at once are counted one after the other.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`waits of ${wait.phone}`}, 0))`.execute(tx)
  const { rows: others } = await sql`select 1 from product_waits where phone = ${wait.phone} and product_id <> ${wait.productId}
    limit ${MAX_PER_PHONE}`.execute(tx)
  if (others.length >= MAX_PER_PHONE) return 'too-many'
  await sql`insert into product_waits (product_id, phone, lang) values (${wait.productId}, ${wait.phone}, ${wait.lang})
    on conflict (product_id, phone) do update set lang = excluded.lang`.execute(tx)
  return 'stored'
}
