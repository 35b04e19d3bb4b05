import type { Picture } from './picture.ts'

/** The files that are made of a stored picture when they are first requested, with their formats. */
export const DERIVED_FORMATS = {
  /** A link preview of 1200 × 630. */
  og: 'jpg',
  /** The picture of a product feed, at most 1200 wide or high. */
  feed: 'jpg',
  /** The logo in the header of pages and on receipts, for 36 CSS pixels on a sharp screen. */
  mark: 'webp',
  /** The logo for mail programs and search engines. */
  logo: 'png',
  /** A square of 512 for the icon of the site. */
  icon: 'png',
} as const

export type DerivedKind = keyof typeof DERIVED_FORMATS

export const DERIVED_KINDS = Object.keys(DERIVED_FORMATS) as DerivedKind[]

export const derivedName = ({ token }: Pick<Picture, 'token'>, kind: DerivedKind) => `${token}-${kind}.${DERIVED_FORMATS[kind]}`

export const derivedUrl = (picture: Pick<Picture, 'token'>, kind: DerivedKind) => `/uploads/${derivedName(picture, kind)}`
