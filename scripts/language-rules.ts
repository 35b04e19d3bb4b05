// The words that names and comments must not use, each with the standard term. Source: CONTRIBUTING.md, "Words".

export interface LanguageRule {
  pattern: RegExp
  /** The standard term. */
  instead: string
}

/** Applied to comments, to titles of tests, and to the words of identifiers (`keptAnswers` → "kept answers"). */
const WORDS: LanguageRule[] = [
  { pattern: /\bkept\b/, instead: 'cached, stored, saved' },
  { pattern: /\bwish(es|ed)?\b/, instead: 'input, request' },
  { pattern: /\bpatien(t|ce|tly)\b/, instead: 'timeout, waiting' },
  { pattern: /\banew\b/, instead: 'again, new' },
  { pattern: /\bshel(f|ves)\b/, instead: 'product index' },
  { pattern: /\bsweeps?\b/, instead: 'scheduled job, delete expired rows' },
  { pattern: /\bobstacles?\b|\bmisfits?\b|\bdisagreements?\b/, instead: 'error, conflict, mismatch' },
  { pattern: /\bin the way\b/, instead: 'unavailable, conflict' },
  { pattern: /\bturn(ed|s)? away\b/, instead: 'rejected' },
  { pattern: /\b(some|any|every)body\b/, instead: 'the role: user, shopper, staff' },
  { pattern: /\bwho(m|so)?ever\b/, instead: 'the role: user, shopper, staff' },
  { pattern: /\bring(s)? of waiting\b/, instead: 'deadlock' },
  { pattern: /\bfilms?\b/, instead: 'video' },
  { pattern: /\boffice\b/, instead: 'admin' },
  { pattern: /\b(most|fewest|longest|highest|smallest)_/i, instead: 'MAX_, MIN_' },
  { pattern: /\bfacts?\b/, instead: 'data, values, snapshot' },
  { pattern: /\bstanding\b/, instead: 'state, status, balance' },
  { pattern: /\bforgets?\b/, instead: 'delete, invalidate, reset' },
  { pattern: /\bfigures\b/, instead: 'digits, totals' },
  { pattern: /\btid(y|ies|ied)\b/, instead: 'normalize, sanitize' },
  { pattern: /\bvouchers?\b/, instead: 'coupon' },
]

/** Applied to comments and titles alone: as identifiers these words are common terms. */
const PHRASES: LanguageRule[] = [
  { pattern: /\bof a moment\b|\bat one moment\b/, instead: 'concurrent' },
  { pattern: /\bslips?\b/, instead: 'receipt' },
  { pattern: /\bgoods\b/, instead: 'products' },
  { pattern: /\bpapers?\b/, instead: 'print view, invoice, policy page' },
  { pattern: /\btills?\b/, instead: 'POS, counter' },
  { pattern: /\brush(es)?\b/, instead: 'load, batch' },
  { pattern: /\bspeaks? of\b/, instead: 'contain, mention' },
  { pattern: /\bwhat became of\b/, instead: 'outcome, state' },
  { pattern: /\bholds? up\b/, instead: 'block, delay' },
  { pattern: /\brid of\b/, instead: 'delete, reset' },
  { pattern: /\band the like\b/, instead: 'such as' },
]

/** Splits an identifier into lower-case words: `MOST_KEPT` and `mostKept` → "most kept". */
export function identifierWords(name: string): string {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/_/g, ' ')
    .toLowerCase()
}

/** The rules that a piece of text breaks. */
export function findBroken(kind: 'identifier' | 'comment' | 'title', text: string): LanguageRule[] {
  const rules = kind === 'identifier' ? WORDS : [...WORDS, ...PHRASES]
  const words = kind === 'identifier' ? identifierWords(text) : text.toLowerCase()
  return rules.filter(({ pattern }) => pattern.test(words) || (kind === 'identifier' && pattern.test(text)))
}
