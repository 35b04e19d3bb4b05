/** Tells the next page of the storefront that its visitor has just logged in. Its script reads and removes it. */
export const WELCOME_COOKIE = 'confirmPayment'
