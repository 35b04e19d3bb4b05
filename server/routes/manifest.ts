import type { FastifyPluginAsync } from 'fastify'
import { derivedUrl } from '#lib/files/derived-picture.ts'
import type { Deps } from '../deps.ts'

const ICONS = [
  { src: '/icons/icon-192.png', sizes: '192x192', type: 'image/png' },
  { src: '/icons/icon-512.png', sizes: '512x512', type: 'image/png' },
  { src: '/icons/icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
]

/** Serves the web app manifest with the shop's name and logo. Browsers request it without a session. */
export function webManifest({ shopCache }: Pick<Deps, 'shopCache'>): FastifyPluginAsync {
  return async (app) => {
    app.get('/manifest.webmanifest', { config: { static: true }, schema: { hide: true } }, async (_request, reply) => {
      const { shop, logo } = await shopCache.settings()
      return reply
        .type('application/manifest+json')
        .header('cache-control', 'public, max-age=3600')
        .send({
          name: shop.name.en,
          short_name: shop.name.en,
          description: shop.motto.en,
          id: '/',
          start_url: '/',
          scope: '/',
          display: 'standalone',
          background_color: '#FBF8F1',
          theme_color: '#16452C',
          icons: logo ? [{ src: derivedUrl(logo.picture, 'icon'), sizes: '512x512', type: 'image/png' }] : ICONS,
        })
    })
  }
}
