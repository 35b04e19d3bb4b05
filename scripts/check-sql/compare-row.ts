// Compares the row type that the code declares with the columns that PostgreSQL reports.
import ts from 'typescript'
import { JsonComparison, type JsonReport, literalsOf } from './compare-json.ts'
import type { DeclaredColumns } from './declared-columns.ts'
import type { ResultColumn, TableColumn } from './describe-statement.ts'
import type { Shape } from './json-shape.ts'
import { isCompared } from './sql-columns.ts'

/** What the pool's parsers (lib/db) make of a type, by its id in PostgreSQL. */
const PARSED: Record<number, 'number' | 'string' | 'boolean' | 'Date' | 'Buffer' | 'json'> = {
  16: 'boolean',
  17: 'Buffer',
  18: 'string',
  19: 'string',
  20: 'number',
  21: 'number',
  23: 'number',
  25: 'string',
  26: 'number',
  114: 'json',
  700: 'number',
  701: 'number',
  705: 'string',
  1042: 'string',
  1043: 'string',
  1082: 'string',
  1114: 'Date',
  1184: 'Date',
  1700: 'string',
  2950: 'string',
  3614: 'string',
  3802: 'json',
  5069: 'string',
}
const ELEMENT: Record<number, number> = {
  1000: 16,
  1001: 17,
  1005: 21,
  1007: 23,
  1009: 25,
  1016: 20,
  1182: 1082,
  1185: 1184,
  1231: 1700,
  3807: 3802,
  199: 114,
}
const VOID = 2278

export interface Declarations {
  checker: ts.TypeChecker
  declared: DeclaredColumns
}

/** One line for each difference, none when the type fits; and the JSON that cannot be compared. */
export function compareRow(
  declarations: Declarations,
  row: ts.Type,
  result: { columns: ResultColumn[]; shapes: Map<string, Shape> },
  text: string,
): JsonReport {
  // `object` asserts no columns: the statement's row is only stored or shown as a whole.
  if (row.flags & ts.TypeFlags.NonPrimitive) return { differences: [], unchecked: [] }
  const { checker } = declarations
  const json = new JsonComparison(checker, declarations.declared)
  const differences: string[] = []
  const properties = propertiesOf(checker, row)
  for (const column of result.columns) {
    if (/[A-Z]/.test(column.name)) differences.push(`${column.name}: is not snake_case; toCamel converts a row`)
    const property = properties.get(column.name)
    properties.delete(column.name)
    const type = property && checker.getTypeOfSymbol(property)
    if (type) differences.push(...compareColumn(declarations, type, column, text))
    else if (column.typeId !== VOID) differences.push(`${column.name}: is not in the type`)
    const shape = result.shapes.get(column.name)
    if (type && shape) json.compare(type, shape, column.name, true)
  }
  for (const [name, { flags }] of properties) if ((flags & ts.SymbolFlags.Optional) === 0) differences.push(`${name}: is not in the result`)
  return { differences: [...differences, ...json.report.differences], unchecked: json.report.unchecked }
}

/** Of a union (a row or an empty one) the properties of the largest member. */
function propertiesOf(checker: ts.TypeChecker, row: ts.Type): Map<string, ts.Symbol> {
  const all = (row.isUnion() ? row.types : [row]).map((type) => checker.getPropertiesOfType(type))
  const largest = all.toSorted((one, other) => other.length - one.length)[0]!
  return new Map(largest.map((property) => [property.name, property]))
}

function compareColumn({ checker, declared: database }: Declarations, declared: ts.Type, column: ResultColumn, text: string): string[] {
  if ((declared.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) !== 0) return []
  const value = checker.getNonNullableType(declared)
  const differences: string[] = []
  const fits = fitsType(checker, value, column.typeId)
  if (fits !== true) differences.push(`${column.name}: ${checker.typeToString(declared)} is ${fits} in PostgreSQL`)
  const isDeclaredNullable = value !== declared
  const isNullable = nullability(column, text)
  if (isNullable === true && !isDeclaredNullable) differences.push(`${column.name}: may be null`)
  if (isNullable === false && isDeclaredNullable) differences.push(`${column.name}: is never null`)
  if (fits === true && column.origin)
    differences.push(...compareStored(checker, database, value, { name: column.name, origin: column.origin }))
  return differences
}

/** True, or the name of what PostgreSQL gives instead. */
function fitsType(checker: ts.TypeChecker, type: ts.Type, typeId: number): true | string {
  const element = ELEMENT[typeId]
  if (element !== undefined) {
    const item = checker.isArrayType(type) ? checker.getTypeArguments(type as ts.TypeReference)[0] : undefined
    if (!item) return 'an array'
    const fits = fitsType(checker, checker.getNonNullableType(item), element)
    return fits === true || `an array of ${fits}`
  }
  const parsed = PARSED[typeId]
  if (parsed === undefined) return `of type ${typeId}`
  if (parsed === 'json') return true
  if (parsed === 'Date' || parsed === 'Buffer') return type.symbol?.name === parsed || parsed
  const target = { number: checker.getNumberType(), string: checker.getStringType(), boolean: checker.getBooleanType() }[parsed]
  return checker.isTypeAssignableTo(type, target) || parsed
}

/** Whether the value may be null; null when neither the schema nor the statement determines it. */
function nullability({ name, origin }: ResultColumn, text: string): boolean | null {
  if (!origin) return null
  const hasOuterJoin = /\b(left|right|full)\s+(outer\s+)?join\b/i.test(text)
  if (!origin.isNullable) return hasOuterJoin ? null : false
  return isCompared(name, origin, text) ? null : true
}

/** A column of a table holds what db/types.ts declares: of texts the literals of a check, unless there is none. */
function compareStored(
  checker: ts.TypeChecker,
  database: DeclaredColumns,
  value: ts.Type,
  { name, origin }: { name: string; origin: TableColumn },
): string[] {
  const literals = literalsOf(value)
  const unknown = origin.literals ? literals.filter((literal) => !origin.literals!.includes(literal)) : []
  if (unknown.length > 0) return [`${name}: the table never holds ${unknown.join(', ')}`]
  const stored = database.typeOf(`${origin.table}.${origin.name}`)
  if (!stored || literals.length > 0 || checker.isTypeAssignableTo(checker.getNonNullableType(stored), value)) return []
  return [`${name}: ${checker.typeToString(value)} is ${checker.typeToString(checker.getNonNullableType(stored))} in db/types.ts`]
}
