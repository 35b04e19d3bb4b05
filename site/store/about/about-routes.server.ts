import { findPolicyPage } from '#features/catalog/page-queries.server.ts'
import type { AboutSlug } from '#features/catalog/policies/slugs.ts'
import { translate } from '#lib/i18n/translate.ts'
import { shorten } from '#lib/format/text.ts'
import type { PageContext, PageRoute } from '#site/page-route.server.ts'
import { organizationJsonLd } from '../listing/organization.server.ts'

/** About and Contact. Without a text of the owner they show what the settings hold. */
export const aboutPages: PageRoute[] = [
  {
    url: '/about',
    page: 'store/about/about',
    cache: 'public',
    async load(context) {
      const { text, settings, head } = await read(context, 'about')
      const { trade_licence, certificates, certificates_text } = settings
      const pictures = certificates.map(({ picture }) => picture)
      return { props: { text, licence: trade_licence, certificates: { text: certificates_text[context.lang], pictures } }, head }
    },
  },
  {
    url: '/contact',
    page: 'store/about/contact',
    cache: 'public',
    async load(context) {
      const { text, settings, head } = await read(context, 'contact')
      const jsonLd = [organizationJsonLd(settings, context.lang, context.publicUrl)]
      return { props: { text, mapUrl: settings.map_url }, head: { ...head, jsonLd } }
    },
  },
]

async function read({ db, shopCache, lang }: PageContext, slug: AboutSlug) {
  const [page, settings] = await Promise.all([findPolicyPage(db, slug, lang), shopCache.settings()])
  const text = page && { title: page.title, body: page.body }
  const description = text
    ? shorten(
        text.body
          .replace(/^## .*$/gm, '')
          .replace(/\s+/g, ' ')
          .trim(),
        155,
      )
    : settings.shop.motto[lang]
  return { text, settings, head: { title: text?.title ?? translate(lang)(`shell.${slug}`), description, canonical: `/${slug}` } }
}
