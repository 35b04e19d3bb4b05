import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { sql } from 'kysely'
import { type AttemptLimit, type CountedAttempt, countAttempts } from '#features/auth/attempts.server.ts'
import type { ProductStatus } from '#features/catalog/types.ts'
import type { Db } from '#lib/db/db.server.ts'
import { clientNetwork, clientSite } from '#lib/http/client-network.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { translate } from '#lib/i18n/translate.ts'
import { productWaitBody } from './forms.ts'
import { canBeAwaited } from './rules.ts'

const HOUR = 3600
const PER_PHONE: AttemptLimit = { max: 10, windowSeconds: HOUR }
/** Far above normal use, because thousands of shoppers share one address of a mobile operator [E7]. */
const PER_NETWORK: AttemptLimit = { max: 200, windowSeconds: HOUR }
const PER_SITE: AttemptLimit = { max: 1000, windowSeconds: HOUR }

/** The public route for people who wait for a product. */
export function productWaitsApi(deps: { db: Db; now: () => Date; env: { rateLimit: boolean } }): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      '/api/product-waits',
      {
        config: { rateLimit: { max: 10, timeWindow: '1 minute' } },
        schema: { tags: ['catalog'], summary: 'Get one SMS when a product can be ordered again', body: productWaitBody },
      },
      async (request, reply) => {
        const { product_id: productId, phone } = request.body
        const wait = deps.env.rateLimit ? await countAttempts(deps.db, countersOf(phone, request.ip), deps.now()) : 0
        if (wait > 0) return reply.fail(429, 'error.too-many', { retryAfterSeconds: wait })
        const { lang } = request.viewer
        const stored = await storeWait(deps.db, { productId, phone, lang })
        if (stored === 'missing') return reply.fail(404, 'error.not-found')
        if (stored === 'refused') return reply.fail(409, 'wait.not-needed')
        return reply.code(201).send({ message: translate(lang)('wait.sent') })
      },
    )
  }
}

/** Stores one wait a product and phone. A repeated one changes the language. */
async function storeWait(db: Db, wait: { productId: number; phone: string; lang: Lang }): Promise<'stored' | 'missing' | 'refused'> {
  const { rows } = await sql<{ status: ProductStatus }>`select status from products where id = ${wait.productId} and visible`.execute(db)
  const product = rows[0]
  if (!product) return 'missing'
  if (!canBeAwaited(product.status)) return 'refused'
  await sql`insert into product_waits (product_id, phone, lang) values (${wait.productId}, ${wait.phone}, ${wait.lang})
    on conflict (product_id, phone) do update set lang = excluded.lang`.execute(db)
  return 'stored'
}

function countersOf(phone: string, ip: string): CountedAttempt[] {
  const [network, site] = [clientNetwork(ip), clientSite(ip)]
  const counted = [
    { key: `product-wait:${phone}`, limit: PER_PHONE },
    { key: `product-wait-from:${network}`, limit: PER_NETWORK },
  ]
  return site === network ? counted : [...counted, { key: `product-wait-site:${site}`, limit: PER_SITE }]
}
