// The words that names, comments, message keys, data attributes and class names must not use, each with the standard term. Source: CONTRIBUTING.md, "Words".

import type { SourceText } from './source-texts.ts'

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
  { pattern: /\bslips?\b/, instead: 'receipt' },
  { pattern: /\btills?\b/, instead: 'POS, counter, register' },
  { pattern: /\bpapers\b/, instead: 'print views, invoices, policies' },
]

/** Applied to message keys, data attributes and class names: they name parts of the shop, where these words have one meaning. */
const PARTS: LanguageRule[] = [
  { pattern: /\bpaper\b/, instead: 'print, invoice, receipt, policies' },
  { pattern: /\brights?\b/, instead: 'permission' },
  { pattern: /\bmost\b/, instead: 'limit, max' },
]

/** Keys made of values that are stored in the database. */
const STORED_KEYS = new Set(['audit.subject.till', 'audit.field.till_code', 'audit.field.kept', 'admin-orders.event.fee-kept'])

/** Applied to comments and titles alone: as identifiers these words are common terms. */
const PHRASES: LanguageRule[] = [
  { pattern: /\bof a moment\b|\bat one moment\b/, instead: 'concurrent' },
  { pattern: /\bgoods\b/, instead: 'products' },
  { pattern: /\bproven\b/, instead: 'verified' },
  { pattern: /\bpaper\b/, instead: 'print view, invoice, policy page' },
  { pattern: /\brush(es)?\b/, instead: 'load, batch' },
  { pattern: /\bspeaks? of\b/, instead: 'contain, mention' },
  { pattern: /\bwhat became of\b/, instead: 'outcome, state' },
  { pattern: /\bholds? up\b/, instead: 'block, delay' },
  { pattern: /\brid of\b/, instead: 'delete, reset' },
  { pattern: /\band the like\b/, instead: 'such as' },
]

/** Splits a name into lower-case words: `OPEN_SHIFT`, `openShift` and `open-shift` → "open shift". */
export function nameWords(name: string): string {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/[_.-]/g, ' ')
    .toLowerCase()
}

/** The rules that a piece of text breaks. */
export function findBroken(kind: SourceText['kind'], text: string): LanguageRule[] {
  if (kind === 'comment' || kind === 'title') return [...WORDS, ...PHRASES].filter(({ pattern }) => pattern.test(text.toLowerCase()))
  if (kind === 'key' && STORED_KEYS.has(text)) return []
  const rules = kind === 'identifier' ? WORDS : [...WORDS, ...PARTS]
  return rules.filter(({ pattern }) => pattern.test(nameWords(text)) || pattern.test(text))
}
