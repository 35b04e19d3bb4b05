import { derivedUrl } from '#lib/files/derived-picture.ts'
import type { Settings } from '#features/settings/settings.ts'
import type { Lang } from '#lib/i18n/lang.ts'

/** The shop for search engines (developers.google.com/search/docs/appearance/structured-data/organization). Unset values are left out. */
export function organizationJsonLd({ shop, logo }: Pick<Settings, 'shop' | 'logo'>, lang: Lang, publicUrl: string): object {
  const optional = {
    description: shop.motto[lang],
    telephone: shop.phone,
    email: shop.email,
    address: shop.address[lang] && { '@type': 'PostalAddress', streetAddress: shop.address[lang], addressCountry: 'BD' },
  }
  return {
    '@context': 'https://schema.org',
    '@type': 'OnlineStore',
    name: shop.name[lang],
    url: `${publicUrl}/`,
    logo: publicUrl + (logo ? derivedUrl(logo.picture, 'logo') : '/uploads/logo.png'),
    ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== '')),
  }
}
