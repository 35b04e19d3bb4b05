// One product as an item of a product feed: RSS 2.0 with the `g:` names of Google Merchant Center, which Facebook catalogs read too
// (support.google.com/merchants/answer/7052112, facebook.com/business/help/120325381656392).
import { type Discount, unitPriceAfterDiscount } from '#features/catalog/shown-price-rules.ts'
import type { ProductStatus, Unit } from '#features/catalog/types.ts'
import { escapeHtml } from '#lib/format/escape.ts'
import { decimalTaka, type Poisha, poisha } from '#lib/format/money.ts'
import { shorten } from '#lib/format/text.ts'
import type { Lang } from '#lib/i18n/lang.ts'

export const FEED_TARGETS = ['google', 'facebook'] as const
export type FeedTarget = (typeof FEED_TARGETS)[number]

export interface FeedProduct {
  id: number
  name: string
  description: string
  category: string
  status: ProductStatus
  unit: Unit
  pricePoisha: number
  discount: Discount | null
  /** The date from which a pre-booked product is delivered. */
  deliveryOn: string | null
  tagNumber: string | null
  /** The weight of an animal that is sold by live weight. */
  weightGrams: number | null
  /** Paths of pictures, the first is the main one. */
  pictures: string[]
}

export interface FeedShop {
  publicUrl: string
  name: string
  lang: Lang
  target: FeedTarget
}

/** Limits of Merchant Center. */
const MAX_TITLE = 150
const MAX_DESCRIPTION = 5000
const MAX_MORE_PICTURES = 10

const AVAILABILITY: Record<FeedTarget, { now: string; later: string }> = {
  google: { now: 'in_stock', later: 'preorder' },
  facebook: { now: 'in stock', later: 'preorder' },
}

/** The opening of a feed, up to its first item. */
export function feedHead({ publicUrl, name, lang }: FeedShop): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0">
<channel>
${tag('title', name)}${tag('link', publicUrl)}${tag('description', name)}${tag('language', lang)}`
}

export const FEED_END = '</channel>\n</rss>\n'

/** A product as `<item>`. The price is that of a unit, as on the product's page; the channels compare the two. */
export function feedItem(product: FeedProduct, { publicUrl, name: brand, lang, target }: FeedShop): string {
  const { id, name, description, category, status, pictures, tagNumber } = product
  const price = poisha(product.pricePoisha)
  const now = unitPriceAfterDiscount(price, product.discount)
  const title = tagNumber ? `${name} (${tagNumber})` : name
  const [main = '', ...others] = pictures.map((path) => publicUrl + path)
  return `<item>
${tag('g:id', String(id))}${tag('g:title', shorten(title, MAX_TITLE))}${tag('g:description', shorten(description.trim() || title, MAX_DESCRIPTION))}\
${tag('g:link', `${publicUrl}/product/${id}${lang === 'bn' ? '?lang=bn' : ''}`)}${tag('g:image_link', main)}\
${others
  .slice(0, MAX_MORE_PICTURES)
  .map((url) => tag('g:additional_image_link', url))
  .join('')}\
${tag('g:availability', status === 'in-stock' ? AVAILABILITY[target].now : AVAILABILITY[target].later)}\
${status !== 'in-stock' && product.deliveryOn ? tag('g:availability_date', `${product.deliveryOn}T00:00+06:00`) : ''}\
${tag('g:price', amount(price))}${now < price ? tag('g:sale_price', amount(now)) : ''}\
${unitPricing(product)}${tag('g:condition', 'new')}${tag('g:brand', brand)}${tag('g:identifier_exists', 'no')}${tag('g:product_type', category)}</item>
`
}

/** What the price is for, so that the channels show a price per kilogram. */
function unitPricing({ unit, weightGrams }: FeedProduct): string {
  if (weightGrams !== null) return measure(`${weightGrams / 1000} kg`, '1 kg')
  if (unit === 'kg') return measure('1 kg', '1 kg')
  return unit === 'dozen' ? measure('12 ct', '1 ct') : ''
}

const measure = (of: string, base: string) => tag('g:unit_pricing_measure', of) + tag('g:unit_pricing_base_measure', base)

const amount = (value: Poisha) => `${decimalTaka(value)} BDT`

/** Characters that XML 1.0 does not allow, also not escaped: controls and halves of surrogate pairs. */
const NOT_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Cs}/gu

const tag = (name: string, text: string) => `<${name}>${escapeHtml(text.replace(NOT_XML, ''))}</${name}>\n`
