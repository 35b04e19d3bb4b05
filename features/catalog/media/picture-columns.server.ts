import { type RawBuilder, sql } from 'kysely'

/** A `Picture` as JSON; `i` is images. */
export const pictureJson: RawBuilder<unknown> = sql`json_build_object('token', i.token, 'width', i.width, 'height', i.height, 'widths', i.widths,
  'placeholder', i.placeholder, 'isIllustration', i.is_illustration)`

/** The URL of the smallest and of the largest WebP file; `i` is images. */
export const smallestFileUrl: RawBuilder<unknown> = sql`'/uploads/' || i.token || '-' || i.widths[1] || '.webp'`
export const largestFileUrl: RawBuilder<unknown> = sql`'/uploads/' || i.token || '-' || i.widths[array_length(i.widths, 1)] || '.webp'`
