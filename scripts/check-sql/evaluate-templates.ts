// Evaluates `sql` templates and the calls of `sql.join`, `sql.ref` and others.
import ts from 'typescript'
import type { Choices } from './choices.ts'
import { DynamicSqlError, type Env, type Piece, type Value } from './sql-values.ts'

const IS_SQL = new WeakMap<ts.Expression, boolean>()

export abstract class TemplateEvaluator {
  protected readonly checker: ts.TypeChecker
  protected readonly choices: Choices
  /** The templates that went into the text. */
  readonly used = new Set<ts.TaggedTemplateExpression>()

  constructor(checker: ts.TypeChecker, choices: Choices) {
    this.checker = checker
    this.choices = choices
  }

  abstract evaluate(node: ts.Expression, env: Env): Value

  protected template({ template }: ts.TaggedTemplateExpression, env: Env): Value {
    this.used.add(template.parent as ts.TaggedTemplateExpression)
    if (ts.isNoSubstitutionTemplateLiteral(template)) return { kind: 'sql', pieces: [template.text] }
    const pieces: Piece[] = [template.head.text]
    for (const span of template.templateSpans) pieces.push(...this.interpolate(span.expression, env), span.literal.text)
    return { kind: 'sql', pieces }
  }

  protected interpolate(node: ts.Expression, env: Env): Piece[] {
    if (!this.isSqlExpression(node)) return [{ parameter: node }]
    const value = this.evaluate(node, env)
    if (value.kind === 'sql') return value.pieces
    throw new DynamicSqlError(node.getText())
  }

  protected isSqlExpression(node: ts.Expression): boolean {
    const known = IS_SQL.get(node)
    if (known !== undefined) return known
    const isSql = this.mayBeSql(this.checker.getTypeAtLocation(node))
    IS_SQL.set(node, isSql)
    return isSql
  }

  protected mayBeSql(type: ts.Type): boolean {
    if (type.isUnion()) return type.types.some((part) => this.mayBeSql(part))
    return (type.flags & ts.TypeFlags.Any) !== 0 || type.getProperty('toOperationNode') !== undefined
  }

  protected sqlCall(name: string, args: readonly ts.Expression[], env: Env): Value {
    const first = args[0]!
    if (name === 'join') return this.join(first, args[1], env)
    if (name === 'lit') return { kind: 'sql', pieces: [this.literal(first, env)] }
    if (name === 'val' || name === 'value') return { kind: 'sql', pieces: [{ parameter: first }] }
    const texts = args.map((argument) => this.constantText(argument, env))
    if (name === 'raw') return { kind: 'sql', pieces: texts }
    const names = name === 'id' ? texts : texts.flatMap((text) => text.split('.'))
    return { kind: 'sql', pieces: [names.map((part) => `"${part}"`).join('.')] }
  }

  protected join(list: ts.Expression, separator: ts.Expression | undefined, env: Env): Value {
    const value = this.evaluate(list, env)
    if (value.kind === 'runtime' && !/toOperationNode|RawBuilder|any/.test(this.checker.typeToString(this.checker.getTypeAtLocation(list))))
      return { kind: 'sql', pieces: [{ parameter: list }] }
    if (value.kind !== 'list') throw new DynamicSqlError(list.getText())
    const between = separator ? this.piecesOf(this.evaluate(separator, env), separator) : [', ']
    const pieces = value.items.flatMap((item, index) => [...(index > 0 ? between : []), ...this.piecesOf(item, list)])
    return { kind: 'sql', pieces }
  }

  protected piecesOf(value: Value, node: ts.Expression): Piece[] {
    if (value.kind === 'sql') return value.pieces
    if (value.kind === 'constant' || value.kind === 'runtime') return [{ parameter: node }]
    throw new DynamicSqlError(node.getText())
  }

  protected literal(node: ts.Expression, env: Env): string {
    const value = this.evaluate(node, env)
    if (value.kind === 'constant') return typeof value.value === 'string' ? `'${value.value.replaceAll("'", "''")}'` : String(value.value)
    return this.checker.typeToString(this.checker.getBaseTypeOfLiteralType(this.checker.getTypeAtLocation(node))) === 'number' ? '1' : `''`
  }

  protected constantText(node: ts.Expression, env: Env): string {
    const value = this.evaluate(node, env)
    if (value.kind === 'constant') return String(value.value)
    const type = this.checker.getTypeAtLocation(node)
    const literals = type.isUnion() ? type.types : [type]
    if (!literals.every((part) => part.isStringLiteral())) throw new DynamicSqlError(node.getText())
    return this.choices.pickOf(node.getText(), literals).value
  }
}
