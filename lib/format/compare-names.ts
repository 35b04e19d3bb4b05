/** Of English: the locales of the server and of browsers sort Bengali differently, and a page must hydrate in the order it was rendered. */
const COLLATOR = new Intl.Collator('en', { numeric: true })

/** Compares names and tags for sorting, in one order everywhere: numbers in them by size, so K-9 comes before K-10. */
export const compareNames = (a: string, b: string): number => COLLATOR.compare(a, b)
