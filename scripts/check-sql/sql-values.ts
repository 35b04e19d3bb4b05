// Values of the expressions that build SQL text, and helpers for syntax nodes.
import ts from 'typescript'

export type Piece = string | { parameter: ts.Expression }
export type Lazy = () => Value
export type Env = Map<ts.Symbol, Lazy>
export type Value =
  | { kind: 'sql'; pieces: Piece[] }
  | { kind: 'constant'; value: string | number | boolean | null | undefined }
  | { kind: 'list'; items: Value[] }
  | { kind: 'record'; fields: Map<string, Lazy> }
  | { kind: 'function'; node: ts.SignatureDeclaration & { body?: ts.ConciseBody } }
  | { kind: 'runtime'; node: ts.Expression }

/** The text depends on something that cannot be evaluated. */
export class DynamicSqlError extends Error {}

export const NO_SQL: Value = { kind: 'constant', value: undefined }

export function resolveSymbol(checker: ts.TypeChecker, node: ts.Node): ts.Symbol | undefined {
  const symbol = ts.isShorthandPropertyAssignment(node.parent)
    ? checker.getShorthandAssignmentValueSymbol(node.parent)
    : checker.getSymbolAtLocation(node)
  return symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
}

export function isSqlTemplate(node: ts.Node): node is ts.TaggedTemplateExpression {
  return ts.isTaggedTemplateExpression(node) && ts.isIdentifier(node.tag) && node.tag.text === 'sql'
}

export function nameOf(name: ts.PropertyName): string {
  return ts.isIdentifier(name) || ts.isStringLiteralLike(name) ? name.text : name.getText()
}

/** The values that a function may return, without `null` and `undefined`. */
export function returnsOf(body: ts.Block): ts.Expression[] {
  const found: ts.Expression[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node)) return
    if (ts.isReturnStatement(node) && node.expression && !/^(null|undefined)$/.test(node.expression.getText())) found.push(node.expression)
    else ts.forEachChild(node, visit)
  }
  ts.forEachChild(body, visit)
  return found
}
