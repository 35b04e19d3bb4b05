// Limits that forms, browser fields and the database share: one home each. `limits.server.test.ts` compares all three.
import { type Poisha, taka } from '#lib/format/money.ts'

/** Characters of the name of a category, an area or a slot. */
export const MAX_NAME_LENGTH = 100
/** Characters of the name of a product. */
export const MAX_PRODUCT_NAME_LENGTH = 255
/** Characters of the description of a category. */
export const MAX_CATEGORY_TEXT_LENGTH = 1000

/** Taka that one thing can cost: a unit of a product, a delivery charge, an advance, the value of a coupon. */
export const MAX_PRICE_TAKA = 100_000_000
export const MAX_PRICE: Poisha = taka(MAX_PRICE_TAKA)

/** Minimum and maximum of one payment at a gateway [M9]. */
export const MIN_ONLINE_PAYMENT: Poisha = taka(10)
export const MAX_ONLINE_PAYMENT: Poisha = taka(500_000)

/** Kilograms that an animal can weigh. */
export const MAX_ANIMAL_KG = 2000
/** Poisha per kg of live weight. The heaviest animal at this rate costs the maximum price. */
export const MAX_RATE = MAX_PRICE / MAX_ANIMAL_KG
