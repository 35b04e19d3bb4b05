// Body limits of routes in bytes: the longest valid input in Bengali, as JSON or as a form. A longer body gets 413 and is not read.

/** The default: a form with a few fields. */
export const SMALL_BODY = 16 * 1024

/** A cart with the buyer's details. */
export const ORDER_BODY = 32 * 1024

/** Some hundred lines or ids, or texts of some thousand characters. */
export const LIST_BODY = 64 * 1024

/** All SMS texts in both languages. */
export const MESSAGES_BODY = 112 * 1024

/** A policy page in both languages, or a held sale. */
export const TEXT_BODY = 256 * 1024
