// Compares the type that the code declares for JSON with what the statement builds.
import ts from 'typescript'
import type { DeclaredColumns } from './declared-columns.ts'
import type { Shape } from './json-shape.ts'

const NUMBER = /^(smallint|integer|bigint|numeric|real|double precision)$/
const STRING = /^(text|character varying|name|uuid|date|interval|timestamp with(out)? time zone|time with(out)? time zone)$/
const TAKA = /\/\s*100(\.0)?\s*$/

export interface JsonReport {
  differences: string[]
  /** Parts that the statement does not show: built by a function, or taken out of other JSON. */
  unchecked: string[]
}

export class JsonComparison {
  readonly report: JsonReport = { differences: [], unchecked: [] }
  readonly #checker: ts.TypeChecker
  readonly #declared: DeclaredColumns

  constructor(checker: ts.TypeChecker, declared: DeclaredColumns) {
    this.#checker = checker
    this.#declared = declared
  }

  compare(type: ts.Type, shape: Shape, path: string, isTop = false): void {
    if ((type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) !== 0) return
    const value = this.#checker.getNonNullableType(type)
    const canBeNull = this.#checker.isTypeAssignableTo(this.#checker.getNullType(), type)
    if (shape.isNullable === true && !canBeNull) this.#add(`${path}: may be null`)
    if (shape.isNullable === false && canBeNull) this.#add(`${path}: is never null`)
    this.#compareValue(value, shape, path)
    if (isTop) this.findInstants(value, path)
  }

  #add(difference: string): void {
    this.report.differences.push(difference)
  }

  #compareValue(type: ts.Type, shape: Shape, path: string): void {
    if (shape.kind === 'unknown') this.report.unchecked.push(path)
    else if (shape.kind === 'column') this.#compareColumn(type, `${shape.column.table}.${shape.column.name}`, path)
    else if (shape.kind === 'either') this.#compareEither(type, shape.shapes, path)
    else if (shape.kind === 'scalar') this.#compareScalar(type, shape, path)
    else if (shape.kind === 'tuple') this.#compareTuple(type, shape.items, path)
    else if (shape.kind === 'object') this.#compareObject(type, shape.fields, path)
    else if (shape.kind === 'record') {
      const item = this.#checker.getIndexTypeOfType(type, ts.IndexKind.String)
      const items = item ? [item] : this.#checker.getPropertiesOfType(type).map((property) => this.#checker.getTypeOfSymbol(property))
      for (const one of items) this.compare(this.#checker.getNonNullableType(one), { ...shape.item, isNullable: null }, `${path}.*`)
    } else {
      const item = this.#itemOf(type)
      if (item) this.compare(item, shape.item, `${path}[]`)
      else this.#add(`${path}: ${this.#checker.typeToString(type)} is an array`)
    }
  }

  /** JSON of a table column has the type that db/types.ts declares. */
  #compareColumn(type: ts.Type, name: string, path: string): void {
    const declared = this.#declared.typeOf(name)
    if (!declared) return this.#add(`${path}: ${name} is not in db/types.ts`)
    if (!this.#checker.isTypeAssignableTo(this.#checker.getNonNullableType(declared), type))
      this.#add(`${path}: ${this.#checker.typeToString(type)} is ${this.#checker.typeToString(declared)} in db/types.ts`)
  }

  #compareTuple(type: ts.Type, items: Shape[], path: string): void {
    if (!this.#checker.isTupleType(type)) return this.#add(`${path}: ${this.#checker.typeToString(type)} is a tuple`)
    const types = this.#checker.getTypeArguments(type as ts.TypeReference)
    if (types.length !== items.length) this.#add(`${path}: has ${items.length} items, not ${types.length}`)
    items.forEach((item, index) => types[index] && this.compare(types[index], item, `${path}[${index}]`))
  }

  /** Every alternative must fit. */
  #compareEither(type: ts.Type, shapes: Shape[], path: string): void {
    for (const shape of shapes) this.#compareValue(type, shape, path)
  }

  #compareScalar(type: ts.Type, scalar: Extract<Shape, { kind: 'scalar' }>, path: string): void {
    const { sqlType, text, column } = scalar
    if (sqlType.endsWith('[]')) {
      const item = this.#itemOf(type)
      if (item) this.#compareScalar(item, { ...scalar, sqlType: sqlType.slice(0, -2), column: null }, `${path}[]`)
      else this.#add(`${path}: ${this.#checker.typeToString(type)} is an array`)
      return
    }
    const base = this.#baseOf(sqlType)
    if (!base) return void this.report.unchecked.push(path)
    const shown = this.#checker.typeToString(type)
    if (!this.#checker.isTypeAssignableTo(type, base) && !this.#checker.isTypeAssignableTo(base, type))
      this.#add(`${path}: ${shown} is ${this.#checker.typeToString(base)} in JSON`)
    else if (shown === 'Poisha' && TAKA.test(text)) this.#add(`${path}: Poisha is taka`)
    else if (column && base === this.#checker.getNumberType()) this.#compareColumn(type, `${column.table}.${column.name}`, path)
    const unknown = column?.literals ? literalsOf(type).filter((literal) => !column.literals!.includes(literal)) : []
    if (unknown.length > 0) this.#add(`${path}: the table never holds ${unknown.join(', ')}`)
  }

  /** The type that JSON has for an SQL type. */
  #baseOf(sqlType: string): ts.Type | null {
    if (NUMBER.test(sqlType)) return this.#checker.getNumberType()
    if (STRING.test(sqlType)) return this.#checker.getStringType()
    return sqlType === 'boolean' ? this.#checker.getBooleanType() : null
  }

  /** Of a union the member with the fewest differences counts. */
  #compareObject(type: ts.Type, fields: Map<string, Shape>, path: string): void {
    const reports = (type.isUnion() ? type.types : [type]).map((member) => {
      const comparison = new JsonComparison(this.#checker, this.#declared)
      comparison.#compareFields(member, fields, path)
      return comparison.report
    })
    const best = reports.toSorted((one, other) => one.differences.length - other.differences.length)[0]!
    this.report.differences.push(...best.differences)
    this.report.unchecked.push(...best.unchecked)
  }

  #compareFields(type: ts.Type, fields: Map<string, Shape>, path: string): void {
    const others = this.#checker.getIndexTypeOfType(type, ts.IndexKind.String)
    const properties = new Map(this.#checker.getPropertiesOfType(type).map((property) => [property.name, property]))
    if (this.#itemOf(type) || ((type.flags & ts.TypeFlags.Object) === 0 && (type.flags & ts.TypeFlags.Intersection) === 0)) {
      this.#add(`${path}: ${this.#checker.typeToString(type)} is an object`)
      return
    }
    for (const [name, shape] of fields) {
      const property = properties.get(name)
      properties.delete(name)
      const declared = property ? this.#checker.getTypeOfSymbol(property) : others
      if (declared) this.compare(declared, shape, `${path}.${name}`)
      else this.#add(`${path}.${name}: is not in the type`)
    }
    for (const [name, { flags }] of properties)
      if ((flags & ts.SymbolFlags.Optional) === 0) this.#add(`${path}.${name}: is not in the result`)
  }

  #itemOf(type: ts.Type): ts.Type | undefined {
    if (!this.#checker.isArrayType(type)) return undefined
    return this.#checker.getTypeArguments(type as ts.TypeReference)[0]
  }

  /** JSON has no Date and no Buffer: they arrive as texts. */
  findInstants(type: ts.Type, path: string, seen = new Set<ts.Type>()): void {
    if (seen.has(type) || seen.size > 500) return
    seen.add(type)
    if (type.isUnionOrIntersection()) for (const part of type.types) this.findInstants(part, path, seen)
    else if (type.symbol?.name === 'Date' || type.symbol?.name === 'Buffer') this.#add(`${path}: ${type.symbol.name} is string in JSON`)
    else if (this.#itemOf(type)) this.findInstants(this.#itemOf(type)!, `${path}[]`, seen)
    else if (type.flags & ts.TypeFlags.Object)
      for (const property of this.#checker.getPropertiesOfType(type))
        this.findInstants(this.#checker.getTypeOfSymbol(property), `${path}.${property.name}`, seen)
  }
}

export function literalsOf(type: ts.Type): string[] {
  if (type.isStringLiteral()) return [type.value]
  return type.isUnion() ? type.types.flatMap(literalsOf) : []
}
