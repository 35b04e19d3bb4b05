// Limits that forms, browser fields and the database share. `limits.server.test.ts` compares all three.
import { type Poisha, taka } from '#lib/format/money.ts'

/** Characters of the name of a category, an area or a slot. */
export const MAX_NAME_LENGTH = 100
/** Characters of the name of a product. */
export const MAX_PRODUCT_NAME_LENGTH = 255
/** Characters of the description of a category. */
export const MAX_CATEGORY_TEXT_LENGTH = 1000
/** Characters of an animal's tag number. */
export const MAX_TAG_LENGTH = 20
/** Characters of a barcode. */
export const MAX_BARCODE_LENGTH = 40
/** Characters of the link to a video. */
export const MAX_VIDEO_LINK_LENGTH = 500

/** Pictures and videos of a product. */
export const MAX_PICTURES = 12
export const MAX_VIDEOS = 5
/** A CSV file of products. */
export const MAX_CSV_BYTES = 5 * 1024 * 1024

/** Maximum taka of one amount: the price of a unit, a delivery charge, an advance, the value of a coupon. */
export const MAX_PRICE_TAKA = 100_000_000
export const MAX_PRICE: Poisha = taka(MAX_PRICE_TAKA)

/** Minimum and maximum of one payment at a gateway [M9]. */
export const MIN_ONLINE_PAYMENT: Poisha = taka(10)
export const MAX_ONLINE_PAYMENT: Poisha = taka(500_000)

/** Maximum weight of an animal in kilograms. */
export const MAX_ANIMAL_KG = 2000
/** Maximum poisha per kg of live weight: an animal of the maximum weight costs the maximum price. */
export const MAX_RATE = MAX_PRICE / MAX_ANIMAL_KG
