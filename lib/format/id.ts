/** The digits of an id: no leading zero, and few enough to be exact in a number. */
export const ID_DIGITS = /^[1-9]\d{0,14}$/

/** The digits of an id in a table whose ids are integers. */
export const SHORT_ID_DIGITS = /^[1-9]\d{0,8}$/

/** The id in a text of a URL; null for anything else, a missing text included. */
export const readId = (text: string | undefined): number | null => (ID_DIGITS.test(text ?? '') ? Number(text) : null)

/** The same for tables whose ids are integers. */
export const readShortId = (text: string | undefined): number | null => (SHORT_ID_DIGITS.test(text ?? '') ? Number(text) : null)

/** The number of an order or customer as typed in a search, `#1001` or `1001` in Latin digits; null for other texts. */
export const readTypedId = (text: string): number | null => readId(text.replace(/^#/, ''))
