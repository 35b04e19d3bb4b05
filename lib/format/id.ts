/** The digits of an id: no leading zero, and few enough to be exact in a number. */
export const ID_DIGITS = /^[1-9]\d{0,14}$/

/** The id in a text of a URL; null for anything else, a missing text included. */
export const readId = (text: string | undefined): number | null => (ID_DIGITS.test(text ?? '') ? Number(text) : null)
