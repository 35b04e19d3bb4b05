// Limits of POS inputs, used by the forms of the API and by the browser.

export const MAX_LINES = 200
/** Limits of a return without a receipt: lines, units of a product, and taka in all. */
export const MAX_RECEIPTLESS_LINES = 20
export const MAX_RECEIPTLESS_QUANTITY = 100
export const MAX_RECEIPTLESS_TAKA = 20_000
/** Products on the buttons of the POS. */
export const MAX_FAVOURITES = 60
/** A typed supervisor code. */
export const MAX_POS_CODE_LENGTH = 40
/** A receipt number, or the address in its QR code. */
export const MAX_RECEIPT_LENGTH = 300
/** The name of a register. */
export const MAX_REGISTER_LENGTH = 40
/** Digits of the count of a note. */
export const MAX_NOTE_COUNT_DIGITS = 5
/** The note on a line. */
export const MAX_LINE_NOTE_LENGTH = 100
/** The name of a held sale. */
export const MAX_HELD_NAME_LENGTH = 60
