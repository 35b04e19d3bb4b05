import type { FastifyPluginAsync } from 'fastify'
import { sql } from 'kysely'
import type { Deps } from '../deps.ts'

const PER_FILE = 20_000
const PAGES = ['/', '/beef', '/fruits', '/kurbani', '/terms-condition', '/privacy-policy', '/return-refund', '/shipping-info']

/** robots.txt and the site map; large shops are mapped in several files. */
export function searchEngineFiles(deps: Deps): FastifyPluginAsync {
  const base = deps.env.publicUrl
  const keep = { config: { keep: true }, schema: { hide: true } }
  return async (app) => {
    app.get('/robots.txt', keep, async (_request, reply) =>
      reply
        .type('text/plain; charset=utf-8')
        .send(
          `User-agent: *\nDisallow: /login\nDisallow: /invoice/\nDisallow: /order/\nDisallow: /admin\nDisallow: /api/\nDisallow: /demo-gateway/\n\nSitemap: ${base}/sitemap.xml\n`,
        ),
    )

    app.get('/sitemap.xml', keep, async (_request, reply) => {
      const { rows } = await sql<{
        files: number
      }>`select ceil(coalesce(max(id), 0) / ${PER_FILE}::numeric)::int as files from products where visible`.execute(deps.db)
      const files = Array.from(
        { length: rows[0]?.files ?? 0 },
        (_, index) => `<sitemap><loc>${base}/sitemap-products-${index + 1}.xml</loc></sitemap>`,
      )
      const all = [`<sitemap><loc>${base}/sitemap-pages.xml</loc></sitemap>`, ...files].join('\n')
      return reply
        .type('application/xml; charset=utf-8')
        .send(
          `<?xml version="1.0" encoding="UTF-8"?>\n<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${all}\n</sitemapindex>\n`,
        )
    })

    app.get('/sitemap-pages.xml', keep, async (_request, reply) =>
      reply.type('application/xml; charset=utf-8').send(
        urlSet(
          base,
          PAGES.map((path) => ({ path })),
        ),
      ),
    )

    app.get<{ Params: { number: string } }>('/sitemap-products-:number(^\\d{1,6}$).xml', keep, async (request, reply) => {
      const number = Number(request.params.number)
      const { rows } = await sql<{ id: number; updated_at: Date }>`
        select id, updated_at from products where visible and id > ${(number - 1) * PER_FILE} and id <= ${number * PER_FILE} order by id`.execute(
        deps.db,
      )
      if (rows.length === 0) return reply.refuse(404, 'error.not-found')
      return reply.type('application/xml; charset=utf-8').send(
        urlSet(
          base,
          rows.map((row) => ({ path: `/product/${row.id}`, changed: row.updated_at })),
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
