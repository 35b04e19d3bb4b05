// What Google requires of structured data, from developers.google.com/search/docs/appearance/structured-data (product-snippet,
// merchant-listing, breadcrumb, organization). No maintained validator exists as a library.

type Data = Record<string, unknown>

const isText = (value: unknown) => typeof value === 'string' && value.trim() !== ''
const isUrl = (value: unknown) => typeof value === 'string' && /^https?:$/.test(URL.parse(value)?.protocol ?? '')
const isOneOf =
  (...names: string[]) =>
  (value: unknown) =>
    names.some((name) => value === `https://schema.org/${name}`)
const isType =
  (...types: string[]) =>
  (value: unknown) =>
    types.includes(String((value as Data | null)?.['@type']))

/** By type: the required fields and what their values must be. */
const RULES: Record<string, Record<string, (value: unknown) => boolean>> = {
  Product: {
    name: isText,
    image: (value) => Array.isArray(value) && value.length > 0 && value.every(isUrl),
    offers: isType('Offer'),
  },
  AggregateRating: {
    ratingValue: (value) => typeof value === 'number' && value >= 1 && value <= 5,
    reviewCount: (value) => Number.isInteger(value) && Number(value) > 0,
  },
  Review: { author: isType('Person'), reviewRating: isType('Rating') },
  Rating: { ratingValue: (value) => typeof value === 'number' && value >= 1 && value <= 5 },
  Person: { name: isText },
  Offer: {
    price: (value) => typeof value === 'number' && value >= 0,
    priceCurrency: (value) => value === 'BDT',
    availability: isOneOf('InStock', 'OutOfStock', 'PreOrder', 'SoldOut'),
    itemCondition: isOneOf('NewCondition'),
    url: isUrl,
  },
  BreadcrumbList: { itemListElement: (value) => Array.isArray(value) && value.length >= 2 && value.every(isType('ListItem')) },
  ListItem: { position: (value) => Number.isInteger(value) && Number(value) > 0, name: isText, item: isUrl },
  OnlineStore: { name: isText, url: isUrl, logo: isUrl },
  QuantitativeValue: { value: (value) => typeof value === 'number', unitCode: isText },
  PostalAddress: { streetAddress: isText, addressCountry: (value) => value === 'BD' },
}

/** The errors of a JSON-LD object and of all objects in it, as `Offer.price: 12`; empty when it is valid. */
export function structuredDataErrors(data: unknown, isTop = true): string[] {
  if (Array.isArray(data)) return data.flatMap((one) => structuredDataErrors(one, false))
  if (typeof data !== 'object' || data === null) return []
  const object = data as Data
  const type = String(object['@type'])
  const rules = RULES[type]
  if (rules === undefined) return [`unknown type ${type}`]
  return [
    ...(isTop && object['@context'] !== 'https://schema.org' ? [`${type}: no context`] : []),
    ...Object.entries(rules).flatMap(([name, isValid]) =>
      isValid(object[name]) ? [] : [`${type}.${name}: ${JSON.stringify(object[name])}`],
    ),
    ...Object.values(object).flatMap((value) => structuredDataErrors(value, false)),
  ]
}
