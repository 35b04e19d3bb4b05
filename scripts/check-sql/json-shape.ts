// What a statement builds as JSON, read from its text. PostgreSQL knows only that such a column is JSON.
import type { TableColumn } from './describe-statement.ts'
import type { Range, SelectList, SqlText } from './sql-tokens.ts'
import { columnOf, type ColumnSource, isNullableText } from './sql-columns.ts'

export type Shape = { isNullable: boolean | null } & (
  | { kind: 'object'; fields: Map<string, Shape> }
  | { kind: 'array' | 'record'; item: Shape }
  | { kind: 'tuple'; items: Shape[] }
  | { kind: 'either'; shapes: Shape[] }
  | { kind: 'column'; column: TableColumn }
  | Scalar
  /** Built by a function of the database, or taken out of other JSON. */
  | { kind: 'unknown' }
)

/** A value of an SQL type, which PostgreSQL tells (`probeTypes`). */
interface Scalar {
  kind: 'scalar'
  text: string
  sqlType: string
  column: TableColumn | null
  /** The column's name, by which JSON of a subquery is found, and the token where it stands. */
  name: string | null
  at: number
}

/** Values whose types PostgreSQL must tell: `range` of the statement is replaced by a call with the values. */
export interface Probe {
  range: Range
  values: Range[]
  scalars: Scalar[]
}

interface Call {
  range: Range
  args: Range
  isFiltered: boolean
  isJson: boolean
}

const MAX_DEPTH = 12
const OBJECT = /^jsonb?_build_object$/
const ARRAY = /^jsonb?_build_array$/
const AGGREGATE = /^jsonb?_agg$/
const RECORD = /^jsonb?_object_agg$/
const AS_IS = /^(to_jsonb?|row_to_json)$/

export class JsonReader {
  readonly probes: Probe[] = []
  readonly sql: SqlText
  readonly #source: ColumnSource
  #depth = 0

  constructor(sql: SqlText, source: ColumnSource) {
    this.sql = sql
    this.#source = source
  }

  /** The shape of a column of the statement's result. */
  readResult(name: string, index: number, count: number): Shape {
    const list = this.sql.resultList({ from: 0, to: this.sql.tokens.length })
    const items = list?.items.map((item) => this.sql.named(item)) ?? []
    const item = items.find((one) => one.name === name) ?? (items.length === count ? items[index] : undefined)
    if (!list || !item) return this.readNamed({ name, at: -1 })
    return this.#json(item.expression, list)
  }

  /** The shape of an expression that is JSON, as PostgreSQL says. */
  #json(range: Range, list: SelectList): Shape {
    const shape = this.read(range, list, true)
    return shape.kind === 'scalar' ? this.readNamed(shape) : shape
  }

  /** The JSON that a subquery calls `name`, when exactly one of the statement's lists has it, besides the use of the name. */
  readNamed({ name, at }: Pick<Scalar, 'name' | 'at'>): Shape {
    const found = this.sql.allLists().flatMap((list) => {
      const named = list.items.map((item) => this.sql.named(item)).filter((item) => item.name === name)
      return named.filter(({ expression: { from, to } }) => at < from || at >= to).map((item) => ({ ...item, list }))
    })
    if (name === null || found.length !== 1 || this.#depth > MAX_DEPTH) return { kind: 'unknown', isNullable: null }
    // The join of the subquery decides whether its row exists.
    return { ...this.#json(found[0]!.expression, found[0]!.list), isNullable: null }
  }

  read(whole: Range, list: SelectList, isJson = false): Shape {
    if (this.#depth > MAX_DEPTH) return { kind: 'unknown', isNullable: null }
    this.#depth++
    const range = this.#stripped(whole)
    const shape = this.#structured(range, list, isJson)
    this.#depth--
    return shape ?? this.#scalar(range, list)
  }

  #structured(range: Range, list: SelectList, isJson: boolean): Shape | null {
    const { from, to } = range
    const first = this.sql.at(from)
    if (first === '(' && this.sql.closing.get(from) === to - 1) return this.#subquery({ from: from + 1, to: to - 1 })
    if (first === 'case' && this.sql.at(to - 1) === 'end')
      return this.#either(this.#branches(range), list, { isJson, isNullable: isNullableText(this.#source, range, list) })
    const close = this.sql.at(from + 1) === '(' ? this.sql.closing.get(from + 1)! : -1
    const args = { from: from + 2, to: close }
    const isFiltered = this.sql.at(close + 1) === 'filter' && this.sql.closing.get(close + 2) === to - 1
    if (close === to - 1 || isFiltered) return this.#call(first, { range: { from, to: close + 1 }, args, isFiltered, isJson }, list)
    const column = columnOf(this.#source, range, list)
    return column?.column.isJson ? { kind: 'column', column: column.column, isNullable: column.isNullable } : null
  }

  #call(name: string, { range, args, isFiltered, isJson }: Call, list: SelectList): Shape | null {
    const values = this.sql.split(args)
    if (name === 'coalesce') {
      const isNullable = values.some((value) => isNullableText(this.#source, value, list) === false) ? false : null
      return this.#either(values, list, { isJson, isNullable })
    }
    if (OBJECT.test(name)) return { ...this.#object(range, values, list), isNullable: false }
    if (ARRAY.test(name)) return { kind: 'tuple', items: this.#values(range, values, list), isNullable: false }
    if (AGGREGATE.test(name)) {
      const [item] = this.#values(range, [this.#aggregated(args)], list)
      const isGrouped = this.sql.scan(list.rest, (index) => this.sql.at(index) === 'group') < list.rest.to
      return { kind: 'array', item: item!, isNullable: !isGrouped || isFiltered }
    }
    if (RECORD.test(name)) return { kind: 'record', item: this.#values(range, values.slice(1), list)[0]!, isNullable: null }
    if (AS_IS.test(name)) return { kind: 'either', shapes: this.#values(range, values, list), isNullable: null }
    if (name !== 'array') return null
    const inner = this.sql.resultList(args)
    const item = inner?.items[0]
    return inner && item ? { kind: 'array', item: this.#values(item, [item], inner)[0]!, isNullable: false } : null
  }

  #object(range: Range, args: Range[], list: SelectList): Shape {
    const keys = args.filter((_, index) => index % 2 === 0)
    const values = this.#values(
      range,
      args.filter((_, index) => index % 2 === 1),
      list,
    )
    if (keys.some(({ from, to }) => to - from !== 1 || this.sql.tokens[from]!.kind !== 'text'))
      return { kind: 'unknown', isNullable: false }
    const fields = keys.map((key, index) => [this.sql.textOf(key).slice(1, -1), values[index]!] as const)
    return { kind: 'object', fields: new Map(fields), isNullable: false }
  }

  /** The shapes of the values of one call, and a probe for those that only PostgreSQL knows. */
  #values(range: Range, values: Range[], list: SelectList): Shape[] {
    const shapes = values.map((value) => this.#row(value, list) ?? this.read(value, list))
    const scalars = shapes.filter((shape) => shape.kind === 'scalar')
    if (scalars.length > 0) this.probes.push({ range, values: values.filter((_, index) => shapes[index]!.kind === 'scalar'), scalars })
    return shapes
  }

  /** `o` of `from (select …) o` as an object; null for another expression. */
  #row({ from, to }: Range, { rest }: SelectList): Shape | null {
    if (to - from !== 1) return null
    const name = this.sql.at(from)
    const open = this.sql.scan(rest, (index) => {
      const after = (this.sql.closing.get(index) ?? index) + 1
      return this.sql.at(index) === '(' && (this.sql.at(after) === name || (this.sql.at(after) === 'as' && this.sql.at(after + 1) === name))
    })
    const list = open < rest.to ? this.sql.resultList({ from: open + 1, to: this.sql.closing.get(open)! }) : null
    if (!list) return null
    const items = list.items.map((item) => this.sql.named(item))
    if (items.some((item) => item.name === null)) return { kind: 'unknown', isNullable: false }
    const range = { from: list.items[0]!.from, to: list.items.at(-1)!.to }
    const values = this.#values(
      range,
      items.map(({ expression }) => expression),
      list,
    )
    return { kind: 'object', fields: new Map(items.map((item, index) => [item.name!, values[index]!])), isNullable: false }
  }

  /** The value of a subquery. It is null when there is no row, except for an aggregate, which always gives one. */
  #subquery(range: Range): Shape | null {
    const list = this.sql.resultList(range)
    if (!list || list.items.length !== 1) return null
    const shape = this.read(this.sql.named(list.items[0]!).expression, list)
    if (shape.kind === 'scalar') return null
    const isOneRow = shape.kind === 'array' && this.sql.scan(list.rest, (index) => this.sql.at(index) === 'group') === list.rest.to
    return { ...shape, isNullable: isOneRow || shape.isNullable === true ? shape.isNullable : null }
  }

  /** Alternatives; null when one of them is no JSON that the statement builds. */
  #either(ranges: Range[], list: SelectList, { isJson, isNullable }: { isJson: boolean; isNullable: boolean | null }): Shape | null {
    const isValue = (range: Range) =>
      range.to - range.from > 1 || (this.sql.tokens[range.from]!.kind !== 'text' && this.sql.at(range.from) !== 'null')
    const probes = this.probes.length
    const shapes = ranges
      .map((range) => this.#stripped(range))
      .filter(isValue)
      .map((range) => (isJson ? this.#json(range, list) : this.read(range, list)))
    if (shapes.length > 0 && shapes.every(({ kind }) => kind !== 'scalar')) {
      const nullable =
        isNullable ?? (shapes.every((shape) => shape.isNullable === false) ? false : shapes.length === 1 ? shapes[0]!.isNullable : null)
      return shapes.length === 1 ? { ...shapes[0]!, isNullable: nullable } : { kind: 'either', shapes, isNullable: nullable }
    }
    this.probes.length = probes
    return null
  }

  /** The values after THEN and ELSE. */
  #branches({ from, to }: Range): Range[] {
    const branches: Range[] = []
    let start = -1
    let nested = 0
    this.sql.scan({ from: from + 1, to }, (index) => {
      const word = this.sql.at(index)
      if (nested === 0 && /^(when|else|end)$/.test(word)) {
        if (start >= 0) branches.push({ from: start, to: index })
        start = -1
      }
      if (nested === 0 && /^(then|else)$/.test(word)) start = index + 1
      if (word === 'case') nested++
      if (word === 'end') nested--
      return false
    })
    return branches
  }

  /** The argument of an aggregate without DISTINCT and ORDER BY. */
  #aggregated(args: Range): Range {
    const from = this.sql.at(args.from) === 'distinct' ? args.from + 1 : args.from
    return { from, to: this.sql.scan({ from, to: args.to }, (index) => this.sql.at(index) === 'order') }
  }

  /** Without parentheses around a value, and without a cast to JSON. */
  #stripped({ from, to }: Range): Range {
    if (this.sql.at(to - 2) === '::' && /^jsonb?$/.test(this.sql.at(to - 1))) return this.#stripped({ from, to: to - 2 })
    const isWrapped = this.sql.at(from) === '(' && this.sql.closing.get(from) === to - 1 && !/^(select|with)$/.test(this.sql.at(from + 1))
    return isWrapped ? this.#stripped({ from: from + 1, to: to - 1 }) : { from, to }
  }

  #scalar(range: Range, list: SelectList): Shape {
    const found = columnOf(this.#source, range, list)
    const isName = range.to - range.from === 1 || (range.to - range.from === 3 && this.sql.at(range.from + 1) === '.')
    return {
      kind: 'scalar',
      text: this.sql.textOf(range),
      sqlType: '',
      column: found?.column ?? null,
      name: isName ? this.sql.at(range.to - 1) : null,
      at: range.from,
      isNullable: isNullableText(this.#source, range, list),
    }
  }
}
