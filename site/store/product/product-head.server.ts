import { LIST_PATHS } from '#features/catalog/category-keys.ts'
import type { ProductDetailJson, ProductStatus } from '#features/catalog/types.ts'
import { sharePictureUrl } from '#features/catalog/media/share-picture.server.ts'
import { pricesOf } from '#features/catalog/shown-price-rules.ts'
import { translate } from '#lib/i18n/translate.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { formatTaka, poishaToTaka } from '#lib/format/money.ts'
import { shorten } from '#lib/format/text.ts'
import type { Head } from '#site/page-route.server.ts'

const AVAILABILITY: Record<ProductStatus, string> = {
  'in-stock': 'InStock',
  'pre-book': 'PreOrder',
  hold: 'OutOfStock',
  'out-of-stock': 'OutOfStock',
  sold: 'SoldOut',
}

/** The breadcrumbs of a product. */
export function trailOf(product: ProductDetailJson, lang: Lang): { href: string; label: string }[] {
  const home = { href: '/', label: translate(lang)('shell.home') }
  const lists = product.categories.flatMap(({ key, label }) => (key === null || key === 'home' ? [] : [{ href: LIST_PATHS[key], label }]))
  return [home, ...lists.slice(0, 1)]
}

/** The metadata of a product for search engines and link previews. */
export function productHead(product: ProductDetailJson, trail: { href: string; label: string }[], lang: Lang, publicUrl: string): Head {
  const t = translate(lang)
  const { now } = pricesOf(product)
  const name = product.tag_number ? `${product.product_type} (${product.tag_number})` : product.product_type
  const path = `/product/${product.id}`
  return {
    title: t('product.title', { name, price: formatTaka(now, lang) }),
    description: shorten(product.description.replace(/\s+/g, ' ').trim() || name, 155),
    canonical: path,
    image: product.picture ? sharePictureUrl(product.picture) : null,
    price: poishaToTaka(now),
    imageAlt: product.product_type,
    ogType: 'product',
    jsonLd: [
      {
        '@context': 'https://schema.org',
        '@type': 'Product',
        name,
        description: product.description || name,
        image: (product.images.length === 0 ? [{ url: '/icons/og.png' }] : product.images).map(({ url }) => publicUrl + url),
        sku: product.tag_number ?? product.barcode ?? String(product.id),
        category: product.categories[0]?.label,
        ...(product.weight_kg === null ? {} : { weight: { '@type': 'QuantitativeValue', value: product.weight_kg, unitCode: 'KGM' } }),
        offers: {
          '@type': 'Offer',
          itemCondition: 'https://schema.org/NewCondition',
          url: publicUrl + path,
          price: poishaToTaka(now),
          priceCurrency: 'BDT',
          availability: `https://schema.org/${AVAILABILITY[product.status]}`,
        },
      },
      {
        '@context': 'https://schema.org',
        '@type': 'BreadcrumbList',
        itemListElement: [...trail, { href: path, label: product.product_type }].map(({ href, label }, index) => ({
          '@type': 'ListItem',
          position: index + 1,
          name: label,
          item: publicUrl + href,
        })),
      },
    ],
  }
}
