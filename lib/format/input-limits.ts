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
/** A password in a sign-in form. A new password has its own rule. */
export const MAX_TYPED_PASSWORD_LENGTH = 512
/** A quantity with a unit of kilograms, pieces or dozens. */
export const MAX_TYPED_QUANTITY_LENGTH = 20
/** The id of a payment or a refund at a bank or a gateway. */
export const MAX_REFERENCE_LENGTH = 100
/** A coupon code with spaces. */
export const MAX_TYPED_COUPON_LENGTH = 40
