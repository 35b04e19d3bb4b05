// Maximum lengths of inputs in characters as typed, before normalization. Plain constants: the storefront loads them without zod.

/** A phone with country code, spaces and hyphens. */
export const MAX_TYPED_PHONE_LENGTH = 40
/** An amount with grouping commas and ৳. */
export const MAX_TYPED_AMOUNT_LENGTH = 20
/** A transaction id with spaces. */
export const MAX_TYPED_TRANSACTION_ID_LENGTH = 60
/** An SMS code, authenticator code or recovery code. */
export const MAX_TYPED_CODE_LENGTH = 20
/** An order number. */
export const MAX_TYPED_ORDER_ID_LENGTH = 30
