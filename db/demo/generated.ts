import { sql } from 'kysely'

/** The description of generated products, by which they are told from those of the owner. */
export const GENERATED_TEXT = { en: 'From our farm.', bn: 'আমাদের খামার থেকে।' }

/**
 * Matches products that were generated for measuring. Their prefix alone does not tell: 21 is one of those that shops take for barcodes of their
 * own.
 */
export const IS_GENERATED = sql`(barcode ~ '^21[0-9]{11}$' and description_en = ${GENERATED_TEXT.en} and description_bn = ${GENERATED_TEXT.bn})`
