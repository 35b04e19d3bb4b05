/** The `Idempotency-Key` of a request: 8 to 200 visible ASCII characters, as the column `request_key` takes it. */
export const REQUEST_KEY = /^[\x21-\x7e]{8,200}$/

/** A new key, in a browser. Pages without https have no `randomUUID`. */
export function newRequestKey(): string {
  return crypto.randomUUID?.() ?? [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Earlier keys of a form that its requests name at most (`x-earlier-keys`). */
export const MAX_EARLIER_KEYS = 5
