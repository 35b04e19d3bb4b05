import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ShopCache } from '#features/catalog/shop-cache.server.ts'
import { dhakaDate } from '#lib/format/time.ts'
import { translate } from '#lib/i18n/translate.ts'
import type { PageRenderer } from './page-renderer.ts'

/** Renders the page of a shop that is not open yet. A day that has passed is not announced. */
export async function sendClosedPage(
  pages: PageRenderer,
  { shopCache, now }: { shopCache: ShopCache; now: () => Date },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { lang } = request.viewer
  const { shop, opening } = await shopCache.settings()
  const opensOn = opening.opensOn >= dhakaDate(now()) ? opening.opensOn : ''
  const title = translate(lang)('closed.title', { shop: shop.name[lang] })
  return pages.send(request, reply, 'store/closed', { status: 503, props: { opensOn }, head: { title, canonical: null } })
}
