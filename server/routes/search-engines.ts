import type { FastifyPluginAsync } from 'fastify'
import { ownCategories } from '#features/catalog/categories/category-cache.server.ts'
import { listProductChanges, maxVisibleProductId } from '#features/catalog/sitemap-queries.server.ts'
import { categoryPath } from '#features/catalog/category-keys.ts'
import type { Deps } from '../deps.ts'

/** Ids of products in a sitemap file; the format allows 50,000. */
const IDS_PER_FILE = 20_000
const PAGES = [
  '/',
  '/beef',
  '/fruits',
  '/kurbani',
  '/terms-condition',
  '/privacy-policy',
  '/return-refund',
  '/shipping-info',
  '/about',
  '/contact',
]
const XML = 'application/xml; charset=utf-8'
const ROBOTS = ['/compare', '/login', '/invoice/', '/order/', '/stop/', '/admin', '/api/', '/demo-gateway/']

/** Serves robots.txt and the sitemap. The products of a large shop fill several files. */
export function searchEngineFiles({ env, db, shopCache }: Deps): FastifyPluginAsync {
  const base = env.publicUrl
  const options = { config: { cache: 'public' }, schema: { hide: true } } as const
  return async (app) => {
    app.get('/robots.txt', options, async (_request, reply) => {
      const disallowed = ROBOTS.map((path) => `Disallow: ${path}\n`).join('')
      return reply.type('text/plain; charset=utf-8').send(`User-agent: *\n${disallowed}\nSitemap: ${base}/sitemap.xml\n`)
    })

    app.get('/sitemap.xml', options, async (_request, reply) => {
      const fileCount = Math.ceil((await maxVisibleProductId(db)) / IDS_PER_FILE)
      const names = ['pages', ...Array.from({ length: fileCount }, (_, index) => `products-${index + 1}`)]
      const files = names.map((name) => `<sitemap><loc>${base}/sitemap-${name}.xml</loc></sitemap>`).join('\n')
      return reply
        .type(XML)
        .send(
          `<?xml version="1.0" encoding="UTF-8"?>\n<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${files}\n</sitemapindex>\n`,
        )
    })

    app.get('/sitemap-pages.xml', options, async (_request, reply) => {
      const own = ownCategories(await shopCache.categories())
      const pages = [...PAGES, ...own.map(categoryPath)]
      return reply.type(XML).send(
        urlSet(
          base,
          pages.map((path) => ({ path })),
        ),
      )
    })

    app.get<{ Params: { number: string } }>('/sitemap-products-:number(^\\d{1,6}$).xml', options, async (request, reply) => {
      const until = Number(request.params.number) * IDS_PER_FILE
      const products = await listProductChanges(db, until - IDS_PER_FILE, until)
      if (products.length === 0) return reply.fail(404, 'error.not-found')
      return reply.type(XML).send(
        urlSet(
          base,
          products.map(({ id, updatedAt }) => ({ path: `/product/${id}`, changed: updatedAt })),
        ),
      )
    })
  }
}

function urlSet(base: string, pages: { path: string; changed?: Date }[]): string {
  const urls = pages.map(({ path, changed }) => {
    const languages = `<xhtml:link rel="alternate" hreflang="bn" href="${base}${path}?lang=bn"/>`
    return `<url><loc>${base}${path}</loc>${changed ? `<lastmod>${changed.toISOString()}</lastmod>` : ''}${languages}</url>`
  })
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">\n${urls.join('\n')}\n</urlset>\n`
}
