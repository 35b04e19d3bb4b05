// Every page carries its style sheet in its document, so each gets only the rules that its own scripts can ask for:
// fewer bytes before the first paint, and fewer rules for a phone to look through.

interface Rule {
  /** Selectors or at-rule, without the block. */
  head: string
  /** What stands between the braces; null for a statement (`@import …;`). */
  body: string | null
}

/** Words that may be class names in built scripts: everything between quotes, spaces and brackets of template strings. */
export function classCandidates(scripts: Iterable<string>): Set<string> {
  const words = new Set<string>()
  for (const text of scripts) for (const word of text.split(/[\s"'`{}$]+/)) words.add(word)
  return words
}

/**
 * The part of a built style sheet that a page with these words can need. A word that ends in `-` (from `btn-${kind}`) stands for
 * all classes that begin so. Rules without a class are kept; of the registered properties those that a kept rule names.
 */
export function purgeCss(css: string, words: ReadonlySet<string>): string {
  const starts = [...words].filter((word) => /^[\w-]+-$/.test(word))
  const known = (name: string) => words.has(name) || starts.some((start) => name.startsWith(start))
  const kept = keptRules(css, known)
  return kept.replace(/@property (--[\w-]+)\{[^}]*\}/g, (rule, name: string) => (isNamed(kept, name) ? rule : ''))
}

/** Set or read anywhere but in its registration and in the list of defaults for browsers without registrations. */
function isNamed(css: string, name: string): boolean {
  return css.includes(`var(${name})`) || css.includes(`var(${name},`)
}

function keptRules(css: string, known: (name: string) => boolean): string {
  let kept = ''
  for (const { head, body } of rulesOf(css)) {
    if (body === null) kept += `${head};`
    else if (/^@(media|supports|layer|container)\b/.test(head)) {
      const inner = keptRules(body, known)
      // An empty layer still says where it stands among the layers.
      if (inner || head.startsWith('@layer')) kept += `${head}{${inner}}`
    } else if (head.startsWith('@') || selectorsOf(head).some((selector) => classesOf(selector).every(known))) kept += `${head}{${body}}`
  }
  return kept
}

/** The rules at the top of a minified sheet; blocks are found by their braces, strings and comments stepped over. */
function* rulesOf(css: string): Generator<Rule> {
  let start = 0
  let open = -1
  let depth = 0
  for (let at = 0; at < css.length; at++) {
    const char = css[at]
    if (char === '\\') at++
    else if (char === '"' || char === "'") at = endOfString(css, at)
    else if (char === '/' && css[at + 1] === '*') {
      at = css.indexOf('*/', at) + 1
      if (depth === 0) start = at + 1
    } else if (char === '{' && depth++ === 0) open = at
    else if (char === '}' && --depth === 0) {
      yield { head: css.slice(start, open).trim(), body: css.slice(open + 1, at) }
      start = at + 1
    } else if (char === ';' && depth === 0) {
      yield { head: css.slice(start, at).trim(), body: null }
      start = at + 1
    }
  }
}

function endOfString(css: string, start: number): number {
  for (let at = start + 1; at < css.length; at++) {
    if (css[at] === '\\') at++
    else if (css[at] === css[start]) return at
  }
  return css.length
}

/** `.a,.b:is(.c,.d)` → `.a` and `.b:is(.c,.d)`. */
function selectorsOf(head: string): string[] {
  const selectors = ['']
  let depth = 0
  for (let at = 0; at < head.length; at++) {
    const char = head[at]!
    if (char === '(' || char === '[') depth++
    if (char === ')' || char === ']') depth--
    if (char === ',' && depth === 0) selectors.push('')
    else selectors[selectors.length - 1] += char === '\\' ? char + head[++at] : char
  }
  return selectors
}

/** Names of the classes that an element, or one around it, must have; of `:is()`, `:not()`, `:where()`, `:has()` only what stands alone in `:is()` and `:where()` counts. */
function classesOf(selector: string): string[] {
  const bare = selector.replace(/:(?:is|where)\(((?:[^()\\,]|\\.|\((?:[^()\\,]|\\.)*\))*)\)/g, '$1')
  const outside = bare.replace(/\((?:[^()\\]|\\.|\((?:[^()\\]|\\.)*\))*\)/g, '')
  return [...outside.matchAll(/\.((?:\\.|[\w-]|[^\x00-\x7f])+)/g)].map(([, name]) => name!.replace(/\\(.)/g, '$1'))
}
