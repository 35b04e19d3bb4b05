import { categoryPath } from '#features/catalog/category-keys.ts'
import type { CachedCategory } from '#features/catalog/categories/category-cache.server.ts'
import type { ProductDetailJson, ProductStatus } from '#features/catalog/types.ts'
import { MAX_RATING } from '#features/reviews/rules.ts'
import type { ProductReviewsJson } from '#features/reviews/types.ts'
import { derivedUrl } from '#lib/files/derived-picture.ts'
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

type Trail = { href: string; label: string }[]

/** The breadcrumbs of a product. */
export function trailOf(product: ProductDetailJson, categories: readonly CachedCategory[], lang: Lang): Trail {
  const home = { href: '/', label: translate(lang)('shell.home') }
  const [{ id, key, label } = { id: 0, key: null, label: '' }] = product.categories
  const category = key === 'home' ? undefined : categories.find((one) => one.id === id)
  return category ? [home, { href: categoryPath(category), label }] : [home]
}

interface HeadParts {
  trail: Trail
  /** Only published reviews. */
  reviews: ProductReviewsJson
  lang: Lang
  publicUrl: string
}

/** The metadata of a product for search engines and link previews. */
export function productHead(product: ProductDetailJson, { trail, reviews, lang, publicUrl }: HeadParts): Head {
  const t = translate(lang)
  const { now } = pricesOf(product)
  const name = product.tag_number ? `${product.product_type} (${product.tag_number})` : product.product_type
  const path = `/product/${product.id}`
  return {
    title: t('product.title', { name, price: formatTaka(now, lang) }),
    description: shorten(product.description.replace(/\s+/g, ' ').trim() || name, 155),
    canonical: path,
    image: product.picture ? derivedUrl(product.picture, 'og') : null,
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
        ...ratingOf(reviews),
        offers: {
          '@type': 'Offer',
          itemCondition: 'https://schema.org/NewCondition',
          url: publicUrl + path,
          price: poishaToTaka(now),
          priceCurrency: 'BDT',
          availability: `https://schema.org/${AVAILABILITY[product.status]}`,
        },
      },
      breadcrumbs([...trail, { href: path, label: product.product_type }], publicUrl),
    ],
  }
}

/** The rating and the newest reviews (schema.org AggregateRating, Review); nothing without reviews. */
function ratingOf({ count, average, newest }: ProductReviewsJson): object {
  if (count === 0) return {}
  return {
    aggregateRating: { '@type': 'AggregateRating', ratingValue: average, reviewCount: count, bestRating: MAX_RATING, worstRating: 1 },
    review: newest.map(({ rating, body, name, day }) => ({
      '@type': 'Review',
      author: { '@type': 'Person', name },
      datePublished: day,
      reviewRating: { '@type': 'Rating', ratingValue: rating, bestRating: MAX_RATING, worstRating: 1 },
      ...(body ? { reviewBody: body } : {}),
    })),
  }
}

/** Breadcrumbs for search engines. */
export function breadcrumbs(trail: Trail, publicUrl: string): object {
  return {
    '@context': 'https://schema.org',
    '@type': 'BreadcrumbList',
    itemListElement: trail.map(({ href, label }, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name: label,
      item: publicUrl + href,
    })),
  }
}
