// Which column of a table a name in a statement means, and whether an expression may be null.
import type { TableColumn } from './describe-statement.ts'
import type { Range, SelectList, SqlText } from './sql-tokens.ts'

export interface ColumnSource {
  sql: SqlText
  /** By `table.column`. */
  columns: ReadonlyMap<string, TableColumn>
  /** The table of each name; null when two tables have it, or when an outer join may leave out its row. */
  aliases: ReadonlyMap<string, { table: string; isOuter: boolean } | null>
}

/** Columns that are null in some rows, but by a constraint not in those that have another value, such as animals. */
const NOT_NULL_BY_CHECK: Record<string, string> = {
  'products.tag_number': 'animal_has_tag',
  'order_lines.tag_number': 'animal_has_tag',
  'product_media.video_url': 'media_has_one_source',
  'backup_runs.size_bytes': 'backup_runs_done',
  'pos_returns.phone': 'return_has_order_or_phone',
}

/** Whether a condition of the statement may exclude nulls of the column. */
export function isCompared(name: string, origin: TableColumn, text: string): boolean {
  if (`${origin.table}.${origin.name}` in NOT_NULL_BY_CHECK) return true
  const compared = String.raw`\b(${origin.name}|"?${name}"?)\s+(is\s+not\s+null|=|in\b|>=?|<|between\b)|=\s*(\w+\.)?${origin.name}\b`
  return new RegExp(compared, 'i').test(text)
}

const NO_ALIAS =
  /^(on|where|set|values|left|right|full|inner|cross|join|order|group|using|limit|for|union|returning|natural|default|select|having)$/

export function columnSource(sql: SqlText, all: Iterable<TableColumn>): ColumnSource {
  const columns = new Map([...all].map((column) => [`${column.table}.${column.name}`, column]))
  const tables = new Set([...columns.values()].map(({ table }) => table))
  const aliases = new Map<string, { table: string; isOuter: boolean } | null>()
  sql.tokens.forEach((_, index) => {
    const found = aliasAt(sql, index)
    if (!found) return
    const earlier = aliases.get(found.alias)
    const isSame = earlier === undefined || (earlier?.table === found.table && earlier.isOuter === found.isOuter)
    aliases.set(found.alias, isSame && tables.has(found.table) ? found : null)
  })
  return { sql, columns, aliases }
}

/** The table that is named after FROM, JOIN, UPDATE or INTO. */
function aliasAt(sql: SqlText, index: number): { alias: string; table: string; isOuter: boolean } | null {
  if (!/^(from|join|update|into)$/.test(sql.at(index)) || sql.at(index - 1) === 'distinct') return null
  const before = sql.at(index - 1) === 'outer' ? sql.at(index - 2) : sql.at(index - 1)
  const isOuter = /^(left|right|full)$/.test(before)
  let at = sql.at(index + 1) === 'lateral' ? index + 2 : index + 1
  // A subquery, or a function.
  const isTable = sql.tokens[at]?.kind === 'name' && sql.at(at + 1) !== '('
  const table = isTable ? sql.at(at) : '('
  at = (sql.closing.get(isTable ? at : sql.at(at) === '(' ? at : at + 1) ?? at) + 1
  if (sql.at(at) === 'as') at++
  const isNamed = sql.tokens[at]?.kind === 'name' && !NO_ALIAS.test(sql.at(at))
  return { alias: isNamed ? sql.at(at) : table, table, isOuter }
}

/** The column that `a.b` or `b` means; null for another expression, or when it is not certain. */
export function columnOf(
  source: ColumnSource,
  { from, to }: Range,
  { rest }: SelectList,
): { column: TableColumn; isNullable: boolean | null } | null {
  const { sql, aliases, columns } = source
  const isQualified = to - from === 3 && sql.at(from + 1) === '.'
  if (!isQualified && (to - from !== 1 || sql.tokens[from]!.kind !== 'name')) return null
  const alias = isQualified ? sql.at(from) : onlyAlias(sql, rest)
  const found = alias === null ? null : aliases.get(alias)
  const column = found && columns.get(`${found.table}.${sql.at(to - 1)}`)
  if (!column) return null
  const hasOtherOuter = /\b(right|full)\s+(outer\s+)?join\b/i.test(sql.text)
  if (!column.isNullable) return { column, isNullable: found.isOuter || hasOtherOuter ? null : false }
  return { column, isNullable: isCompared(column.name, column, sql.text) ? null : true }
}

/** The alias of a FROM with one table. */
function onlyAlias(sql: SqlText, rest: Range): string | null {
  const isOther = (index: number) => sql.at(index) === 'join' || sql.at(index) === ','
  const end = sql.scan(rest, (index) => /^(where|order|group|limit)$/.test(sql.at(index)))
  if (sql.at(rest.from) !== 'from' || sql.scan({ from: rest.from, to: end }, isOther) < end) return null
  return aliasAt(sql, rest.from)?.alias ?? null
}

const NEVER_NULL = /^(count|exists|array|jsonb?_build_object|jsonb?_build_array|concat|concat_ws)$/

/** Whether the expression may be null; null when that is not certain. */
export function isNullableText(source: ColumnSource, range: Range, list: SelectList): boolean | null {
  const { sql } = source
  const operands = /^\W*case\b/i.test(sql.textOf(range)) ? [range] : operandsOf(sql, range)
  if (operands.length > 1) return ofAll(operands.map((operand) => isNullableText(source, operand, list)))
  const { from, to } = withoutCast(sql, operands[0]!)
  if (to - from === 1) return isTokenNullable(source, { from, to }, list)
  if (sql.at(from) === 'case' && sql.at(to - 1) === 'end') return isCaseNullable(sql, { from, to })
  if (sql.at(to - 1) === 'null' && /^(is|not)$/.test(sql.at(to - 2))) return false
  if (sql.at(from) === '(' && sql.closing.get(from) === to - 1)
    return /^(select|with)$/.test(sql.at(from + 1)) ? null : isNullableText(source, { from: from + 1, to: to - 1 }, list)
  if (sql.closing.get(from + 1) === to - 1) return isCallNullable(source, { from, to }, list)
  return columnOf(source, { from, to }, list)?.isNullable ?? null
}

const withoutCast = (sql: SqlText, { from, to }: Range): Range => ({ from, to: sql.at(to - 2) === '::' ? to - 2 : to })

function isTokenNullable(source: ColumnSource, range: Range, list: SelectList): boolean | null {
  const { kind, text } = source.sql.tokens[range.from]!
  if (kind !== 'name') return kind === 'parameter' ? null : false
  if (/^(null|true|false)$/.test(text)) return text === 'null'
  return columnOf(source, range, list)?.isNullable ?? null
}

/** Of functions it is known for a few only. */
function isCallNullable(source: ColumnSource, { from, to }: Range, list: SelectList): boolean | null {
  const { sql } = source
  if (NEVER_NULL.test(sql.at(from))) return false
  const values = sql.split({ from: from + 2, to: to - 1 })
  return sql.at(from) === 'coalesce' && values.some((value) => isNullableText(source, value, list) === false) ? false : null
}

const ofAll = (answers: (boolean | null)[]) => (answers.includes(true) ? true : answers.includes(null) ? null : false)

/** The operands of a sum or product. */
function operandsOf(sql: SqlText, range: Range): Range[] {
  const parts = ['+', '-', '*', '/'].reduce<Range[]>((all, sign) => all.flatMap((part) => sql.split(part, sign)), [range])
  return parts.every(({ from, to }) => from < to) ? parts : [range]
}

/** A CASE without ELSE, or with a value NULL, is null in some rows. */
function isCaseNullable(sql: SqlText, { from, to }: Range): boolean | null {
  let nested = 0
  let last = -1
  let hasNull = false
  sql.scan({ from: from + 1, to: to - 1 }, (index) => {
    if (sql.at(index) === 'case') nested++
    if (sql.at(index) === 'end') nested--
    if (nested === 0 && sql.at(index) === 'else') last = index
    if (nested === 0 && /^(then|else)$/.test(sql.at(index)) && sql.at(index + 1) === 'null' && /^(when|else|end)$/.test(sql.at(index + 2)))
      hasNull = true
    return false
  })
  return last < 0 || hasNull ? true : null
}
