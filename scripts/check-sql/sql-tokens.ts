// Tokens of a statement, and the lists that SELECT and RETURNING give. No grammar: parentheses and the keywords between them are enough.

export interface Token {
  /** Keywords and names in lower case, without quotes. A text keeps its quotes. */
  text: string
  kind: 'name' | 'text' | 'number' | 'parameter' | 'sign'
  start: number
  end: number
}

/** A part of the tokens, without `to`. */
export interface Range {
  from: number
  to: number
}

export interface SelectList {
  items: Range[]
  /** The rest of the SELECT, from its FROM on. */
  rest: Range
}

const TOKEN = /(\s+|--[^\n]*)|('(?:[^']|'')*')|"([^"]*)"|([a-z_]\w*)|(\d+(?:\.\d+)?)|(\$\d+)|(::|->>|->|#>>|#>|<>|<=|>=|\|\||.)/gis
const AFTER_LIST = new Set([
  'from',
  'where',
  'group',
  'having',
  'order',
  'limit',
  'offset',
  'union',
  'intersect',
  'except',
  'for',
  'window',
])

export class SqlText {
  readonly text: string
  readonly tokens: Token[] = []
  /** The closing parenthesis of each opening one. */
  readonly closing = new Map<number, number>()

  constructor(text: string) {
    this.text = text
    const open: number[] = []
    for (const match of text.matchAll(TOKEN)) {
      const [all, space, literal, quoted, name, number, parameter] = match
      if (space !== undefined) continue
      const kind = literal ? 'text' : (quoted ?? name) !== undefined ? 'name' : number ? 'number' : parameter ? 'parameter' : 'sign'
      if (all === '(') open.push(this.tokens.length)
      if (all === ')') this.closing.set(open.pop()!, this.tokens.length)
      this.tokens.push({ text: quoted ?? name?.toLowerCase() ?? all, kind, start: match.index, end: match.index + all.length })
    }
  }

  at(index: number): string {
    const token = this.tokens[index]
    return token === undefined || token.kind === 'text' ? '' : token.text
  }

  textOf({ from, to }: Range): string {
    return from < to ? this.text.slice(this.tokens[from]!.start, this.tokens[to - 1]!.end) : ''
  }

  /** Calls `visit` for the tokens outside of inner parentheses until it returns true. Returns the index at which it did, or `to`. */
  scan({ from, to }: Range, visit: (index: number) => boolean): number {
    for (let index = from; index < to; index = (this.closing.get(index) ?? index) + 1) if (visit(index)) return index
    return to
  }

  split(range: Range, separator = ','): Range[] {
    const parts: Range[] = []
    let { from } = range
    this.scan(range, (index) => {
      if (this.at(index) === separator) {
        parts.push({ from, to: index })
        from = index + 1
      }
      return false
    })
    return from < range.to || parts.length > 0 ? [...parts, { from, to: range.to }] : []
  }

  /** The list that a statement or subquery returns: that of RETURNING, else of its first SELECT; null when there is none. */
  resultList(range: Range): SelectList | null {
    const find = (keyword: string) => this.scan(range, (index) => this.at(index) === keyword)
    const returning = find('returning')
    const start = returning < range.to ? returning : find('select')
    return start < range.to ? this.listAt(start, range.to) : null
  }

  /** Every list of the statement. */
  allLists(): SelectList[] {
    const everything = this.tokens.flatMap((_, index) => (this.at(index) === 'select' || this.at(index) === 'returning' ? [index] : []))
    return everything.map((start) => this.listAt(start, this.endOfGroup(start)))
  }

  private listAt(start: number, end: number): SelectList {
    let from = start + 1
    if (this.at(from) === 'distinct') from += this.at(from + 1) === 'on' ? this.closing.get(from + 2)! - from + 1 : 1
    const isEnd = (index: number) =>
      AFTER_LIST.has(this.at(index)) &&
      !/^(\.|as)$/.test(this.at(index - 1)) &&
      !(this.at(index) === 'from' && this.at(index - 1) === 'distinct')
    const to = this.scan({ from, to: end }, isEnd)
    return { items: this.split({ from, to }), rest: { from: to, to: end } }
  }

  /** The closing parenthesis around a token, or the end of the statement. */
  private endOfGroup(index: number): number {
    let end = this.tokens.length
    for (const [open, close] of this.closing) if (open < index && close > index && close < end) end = close
    return end
  }

  /** The item without its `as` name, and the name; the name of a column that has no other. */
  named({ from, to }: Range): { expression: Range; name: string | null } {
    const last = this.tokens[to - 1]
    if (last?.kind !== 'name') return { expression: { from, to }, name: null }
    if (this.at(to - 2) === 'as') return { expression: { from, to: to - 2 }, name: last.text }
    const isBare = to - from > 1 && last.text !== 'end' && /^(\)|end|[\w"']+)$/.test(this.tokens[to - 2]!.text) && this.at(to - 2) !== 'not'
    if (isBare && this.at(to - 2) !== '.') return { expression: { from, to: to - 1 }, name: last.text }
    return { expression: { from, to }, name: to - from === 1 || this.at(to - 2) === '.' ? last.text : null }
  }
}
