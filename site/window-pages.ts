/** Entries of the shop window's pages, as the build names them: they need only its own texts, so their scripts stay small. */
export const WINDOW_PAGES: ReadonlySet<string> = new Set(
  ['home', 'beef', 'fruits', 'kurbani', 'kurbani-booking', 'search', 'product', 'policy'].map((name) => `store-${name}`),
)
