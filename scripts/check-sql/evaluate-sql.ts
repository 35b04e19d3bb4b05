// Evaluates the expressions that build SQL text, without running the project: constants, fragments, functions that return fragments,
// conditions. A value that is known only at run time becomes a parameter, as Kysely makes it one.
import ts from 'typescript'
import type { Choices } from './choices.ts'

export type Piece = string | { parameter: ts.Expression }
type Lazy = () => Value
type Env = Map<ts.Symbol, Lazy>
export type Value =
  | { kind: 'sql'; pieces: Piece[] }
  | { kind: 'constant'; value: string | number | boolean | null | undefined }
  | { kind: 'list'; items: Value[] }
  | { kind: 'record'; fields: Map<string, Lazy> }
  | { kind: 'function'; node: ts.SignatureDeclaration & { body?: ts.ConciseBody } }
  | { kind: 'runtime'; node: ts.Expression }

/** The text depends on something that cannot be evaluated. */
export class DynamicSqlError extends Error {}

const MAX_DEPTH = 150
const IS_SQL = new WeakMap<ts.Expression, boolean>()
const NO_SQL: Value = { kind: 'constant', value: undefined }

export class SqlEvaluator {
  readonly #checker: ts.TypeChecker
  readonly #calls: Map<ts.Symbol, ts.CallExpression[]>
  readonly #choices: Choices
  /** The templates that went into the text. */
  readonly used = new Set<ts.TaggedTemplateExpression>()
  #depth = 0

  constructor(checker: ts.TypeChecker, calls: Map<ts.Symbol, ts.CallExpression[]>, choices: Choices) {
    this.#checker = checker
    this.#calls = calls
    this.#choices = choices
  }

  evaluate(node: ts.Expression, env: Env): Value {
    if (++this.#depth > MAX_DEPTH) throw new DynamicSqlError(`recursion at ${node.getText()}`)
    try {
      return this.#evaluate(node, env)
    } finally {
      this.#depth--
    }
  }

  #evaluate(node: ts.Expression, env: Env): Value {
    if (
      ts.isParenthesizedExpression(node) ||
      ts.isAsExpression(node) ||
      ts.isNonNullExpression(node) ||
      ts.isSatisfiesExpression(node) ||
      ts.isAwaitExpression(node)
    )
      return this.evaluate(node.expression, env)
    if (isSqlTemplate(node)) return this.#template(node, env)
    if (ts.isStringLiteralLike(node)) return { kind: 'constant', value: node.text }
    if (ts.isNumericLiteral(node)) return { kind: 'constant', value: Number(node.text.replaceAll('_', '')) }
    if (node.kind === ts.SyntaxKind.NullKeyword) return { kind: 'constant', value: null }
    if (ts.isIdentifier(node)) return this.#identifier(node, env)
    if (ts.isConditionalExpression(node)) return this.evaluate(this.#isTrue(node.condition, env) ? node.whenTrue : node.whenFalse, env)
    if (ts.isArrayLiteralExpression(node)) return { kind: 'list', items: node.elements.flatMap((element) => this.#element(element, env)) }
    if (ts.isObjectLiteralExpression(node)) return this.#record(node, env)
    if (ts.isArrowFunction(node) || ts.isFunctionExpression(node)) return { kind: 'function', node }
    if (ts.isCallExpression(node)) return this.#call(node, env)
    if (ts.isPropertyAccessExpression(node)) return this.#field(node, node.name.text, env)
    if (ts.isElementAccessExpression(node)) return this.#entry(node, env)
    if (ts.isTemplateExpression(node)) return this.#text(node, env)
    if (ts.isBinaryExpression(node)) return this.#binary(node, env)
    return { kind: 'runtime', node }
  }

  #template({ template }: ts.TaggedTemplateExpression, env: Env): Value {
    this.used.add(template.parent as ts.TaggedTemplateExpression)
    if (ts.isNoSubstitutionTemplateLiteral(template)) return { kind: 'sql', pieces: [template.text] }
    const pieces: Piece[] = [template.head.text]
    for (const span of template.templateSpans) pieces.push(...this.#interpolate(span.expression, env), span.literal.text)
    return { kind: 'sql', pieces }
  }

  #interpolate(node: ts.Expression, env: Env): Piece[] {
    if (!this.#isSqlExpression(node)) return [{ parameter: node }]
    const value = this.evaluate(node, env)
    if (value.kind === 'sql') return value.pieces
    throw new DynamicSqlError(node.getText())
  }

  #isSqlExpression(node: ts.Expression): boolean {
    const known = IS_SQL.get(node)
    if (known !== undefined) return known
    const isSql = this.#mayBeSql(this.#checker.getTypeAtLocation(node))
    IS_SQL.set(node, isSql)
    return isSql
  }

  #mayBeSql(type: ts.Type): boolean {
    if (type.isUnion()) return type.types.some((part) => this.#mayBeSql(part))
    return (type.flags & ts.TypeFlags.Any) !== 0 || type.getProperty('toOperationNode') !== undefined
  }

  #identifier(node: ts.Identifier, env: Env): Value {
    if (node.text === 'undefined') return NO_SQL
    const symbol = this.#resolve(node)
    const bound = symbol && env.get(symbol)
    if (bound) return bound()
    const declaration = symbol?.valueDeclaration
    if (!declaration) return { kind: 'runtime', node }
    if (ts.isFunctionDeclaration(declaration)) return { kind: 'function', node: declaration }
    if (ts.isParameter(declaration)) return this.#parameter(declaration, node, env)
    if (ts.isVariableDeclaration(declaration)) return this.#variable(declaration, symbol, node, env)
    if (ts.isBindingElement(declaration)) return this.#bindingElement(declaration, symbol, node, env)
    return { kind: 'runtime', node }
  }

  #variable(declaration: ts.VariableDeclaration, symbol: ts.Symbol, node: ts.Identifier, env: Env): Value {
    if (ts.isForOfStatement(declaration.parent.parent)) {
      const list = this.evaluate(declaration.parent.parent.expression, env)
      return list.kind === 'list' ? this.#oneOf(list.items, node) : { kind: 'runtime', node }
    }
    if (!declaration.initializer) return { kind: 'runtime', node }
    const value = this.evaluate(declaration.initializer, env)
    if (value.kind !== 'list') return value
    return { kind: 'list', items: [...value.items, ...this.#pushed(declaration, symbol, env)] }
  }

  /** What the function adds to a list by `push`, each under its own condition. */
  #pushed(declaration: ts.VariableDeclaration, symbol: ts.Symbol, env: Env): Value[] {
    const scope = ts.findAncestor(declaration, ts.isFunctionLike)
    const items: Value[] = []
    const visit = (node: ts.Node): void => {
      if (
        ts.isCallExpression(node) &&
        ts.isPropertyAccessExpression(node.expression) &&
        node.expression.name.text === 'push' &&
        ts.isIdentifier(node.expression.expression) &&
        this.#resolve(node.expression.expression) === symbol
      ) {
        const condition = ts.findAncestor(node, (parent) => parent === scope || ts.isIfStatement(parent))
        const isAdded = !condition || !ts.isIfStatement(condition) || this.#choices.pick(condition.expression.getText(), 2) === 0
        if (isAdded) items.push(...node.arguments.flatMap((argument) => this.#element(argument, env)))
      } else ts.forEachChild(node, visit)
    }
    if (scope) ts.forEachChild(scope, visit)
    return items
  }

  #bindingElement(declaration: ts.BindingElement, symbol: ts.Symbol, node: ts.Identifier, env: Env): Value {
    const root = ts.findAncestor(declaration, (parent) => ts.isVariableDeclaration(parent) || ts.isParameter(parent))
    if (!root || !(ts.isVariableDeclaration(root) || ts.isParameter(root))) return { kind: 'runtime', node }
    const inner: Env = new Map()
    if (ts.isParameter(root)) this.#bind(root.name, () => this.#parameter(root, node, env), inner)
    else if (root.initializer) this.#bind(root.name, () => this.evaluate(root.initializer!, env), inner)
    return inner.get(symbol)?.() ?? { kind: 'runtime', node }
  }

  /** A parameter of the function that runs the statement is what a caller passes. */
  #parameter(declaration: ts.ParameterDeclaration, node: ts.Identifier, env: Env): Value {
    const type = this.#checker.getTypeAtLocation(declaration)
    const literals = type.isUnion() && type.types.every((part) => part.isStringLiteral()) ? type.types : null
    if (literals) return { kind: 'constant', value: (this.#choices.pickOf(node.text, literals) as ts.StringLiteralType).value }
    const calls = (type.flags & (ts.TypeFlags.Object | ts.TypeFlags.UnionOrIntersection)) !== 0 && this.#callsOf(declaration.parent)
    if (!calls || calls.length === 0) return { kind: 'runtime', node }
    const index = declaration.parent.parameters.indexOf(declaration)
    const call = this.#choices.pickOf(`caller of ${declaration.parent.name?.getText()}`, calls)
    const argument = call.arguments[index] ?? declaration.initializer
    return argument ? this.evaluate(argument, env) : NO_SQL
  }

  #callsOf(node: ts.SignatureDeclaration): ts.CallExpression[] {
    const named = ts.isArrowFunction(node) && ts.isVariableDeclaration(node.parent) ? node.parent : node
    const symbol = named.name && this.#checker.getSymbolAtLocation(named.name)
    return (symbol && this.#calls.get(symbol)) ?? []
  }

  #element(node: ts.Expression, env: Env): Value[] {
    if (!ts.isSpreadElement(node)) return [this.evaluate(node, env)]
    const value = this.evaluate(node.expression, env)
    if (value.kind === 'list') return value.items
    throw new DynamicSqlError(node.getText())
  }

  #record(node: ts.ObjectLiteralExpression, env: Env): Value {
    const fields = new Map<string, Lazy>()
    for (const property of node.properties) {
      if (ts.isSpreadAssignment(property)) {
        const value = this.evaluate(property.expression, env)
        if (value.kind === 'record') for (const [name, field] of value.fields) fields.set(name, field)
      } else if (ts.isPropertyAssignment(property)) {
        fields.set(nameOf(property.name), () => this.evaluate(property.initializer, env))
      } else if (ts.isShorthandPropertyAssignment(property)) {
        fields.set(property.name.text, () => this.#identifier(property.name, env))
      }
    }
    return { kind: 'record', fields }
  }

  #call(node: ts.CallExpression, env: Env): Value {
    const { expression: callee, arguments: args } = node
    if (ts.isPropertyAccessExpression(callee)) {
      if (callee.expression.getText() === 'sql') return this.#sqlCall(callee.name.text, args, env)
      if (callee.expression.getText() === 'Object') return this.#objectCall(node, callee.name.text, env)
      return this.#method(node, callee, env)
    }
    const called = this.evaluate(callee, env)
    if (called.kind !== 'function') return { kind: 'runtime', node }
    return this.#apply(
      called.node,
      args.map((argument) => () => this.evaluate(argument, env)),
      env,
    )
  }

  #sqlCall(name: string, args: readonly ts.Expression[], env: Env): Value {
    const first = args[0]!
    if (name === 'join') return this.#join(first, args[1], env)
    if (name === 'lit') return { kind: 'sql', pieces: [this.#literal(first, env)] }
    if (name === 'val' || name === 'value') return { kind: 'sql', pieces: [{ parameter: first }] }
    const texts = args.map((argument) => this.#constantText(argument, env))
    if (name === 'raw') return { kind: 'sql', pieces: texts }
    const names = name === 'id' ? texts : texts.flatMap((text) => text.split('.'))
    return { kind: 'sql', pieces: [names.map((part) => `"${part}"`).join('.')] }
  }

  #join(list: ts.Expression, separator: ts.Expression | undefined, env: Env): Value {
    const value = this.evaluate(list, env)
    if (
      value.kind === 'runtime' &&
      !/toOperationNode|RawBuilder|any/.test(this.#checker.typeToString(this.#checker.getTypeAtLocation(list)))
    )
      return { kind: 'sql', pieces: [{ parameter: list }] }
    if (value.kind !== 'list') throw new DynamicSqlError(list.getText())
    const between = separator ? this.#piecesOf(this.evaluate(separator, env), separator) : [', ']
    const pieces = value.items.flatMap((item, index) => [...(index > 0 ? between : []), ...this.#piecesOf(item, list)])
    return { kind: 'sql', pieces }
  }

  #piecesOf(value: Value, node: ts.Expression): Piece[] {
    if (value.kind === 'sql') return value.pieces
    if (value.kind === 'constant' || value.kind === 'runtime') return [{ parameter: node }]
    throw new DynamicSqlError(node.getText())
  }

  #literal(node: ts.Expression, env: Env): string {
    const value = this.evaluate(node, env)
    if (value.kind === 'constant') return typeof value.value === 'string' ? `'${value.value.replaceAll("'", "''")}'` : String(value.value)
    return this.#checker.typeToString(this.#checker.getBaseTypeOfLiteralType(this.#checker.getTypeAtLocation(node))) === 'number'
      ? '1'
      : `''`
  }

  #constantText(node: ts.Expression, env: Env): string {
    const value = this.evaluate(node, env)
    if (value.kind === 'constant') return String(value.value)
    const type = this.#checker.getTypeAtLocation(node)
    const literals = type.isUnion() ? type.types : [type]
    if (!literals.every((part) => part.isStringLiteral())) throw new DynamicSqlError(node.getText())
    return this.#choices.pickOf(node.getText(), literals).value
  }

  #objectCall(node: ts.CallExpression, name: string, env: Env): Value {
    const value = this.evaluate(node.arguments[0]!, env)
    if (value.kind !== 'record') return { kind: 'runtime', node }
    const items = [...value.fields].map(([key, field]): Value => {
      const constant: Value = { kind: 'constant', value: key }
      if (name === 'keys') return constant
      return name === 'values' ? field() : { kind: 'list', items: [constant, field()] }
    })
    return { kind: 'list', items }
  }

  #method(node: ts.CallExpression, callee: ts.PropertyAccessExpression, env: Env): Value {
    const name = callee.name.text
    if (!['as', '$castTo', '$notNull', 'map', 'flatMap', 'filter', 'toSorted', 'slice', 'concat'].includes(name))
      return { kind: 'runtime', node }
    const target = this.evaluate(callee.expression, env)
    if (name === 'as' && target.kind === 'sql')
      return { kind: 'sql', pieces: [...target.pieces, ` as "${this.#constantText(node.arguments[0]!, env)}"`] }
    if (name === '$castTo' || name === '$notNull') return target
    if (name !== 'map' && name !== 'flatMap') return target
    const unknown: Value = { kind: 'runtime', node: callee.expression }
    const items = target.kind === 'list' ? target.items : [unknown, unknown]
    const called = this.evaluate(node.arguments[0]!, env)
    if (called.kind !== 'function') return { kind: 'runtime', node }
    const results = items.map((item, index) => this.#apply(called.node, [() => item, () => ({ kind: 'constant', value: index })], env))
    if (results.every((result) => result.kind === 'runtime')) return { kind: 'runtime', node }
    return {
      kind: 'list',
      items: name === 'map' ? results : results.flatMap((result) => (result.kind === 'list' ? result.items : [result])),
    }
  }

  #apply(node: ts.SignatureDeclaration & { body?: ts.ConciseBody }, args: Lazy[], env: Env): Value {
    const inner: Env = new Map(env)
    for (const [index, parameter] of node.parameters.entries()) {
      const { initializer } = parameter
      const argument = args[index] ?? (initializer ? () => this.evaluate(initializer, env) : () => NO_SQL)
      this.#bind(parameter.name, argument, inner)
    }
    const { body } = node
    if (!body) throw new DynamicSqlError(node.getText())
    if (!ts.isBlock(body)) return this.evaluate(body, inner)
    const returns = returnsOf(body)
    if (returns.length === 0) return NO_SQL
    return this.evaluate(this.#choices.pickOf(`returns of ${node.name?.getText() ?? node.pos}`, returns), inner)
  }

  #bind(name: ts.BindingName, value: Lazy, env: Env): void {
    if (ts.isIdentifier(name)) {
      const symbol = this.#checker.getSymbolAtLocation(name)
      if (symbol) env.set(symbol, value)
      return
    }
    for (const [index, element] of name.elements.entries()) {
      if (ts.isOmittedExpression(element)) continue
      const key = ts.isArrayBindingPattern(name) ? String(index) : (element.propertyName ?? element.name).getText()
      this.#bind(element.name, () => this.#part(value(), key, element.name as ts.Expression, element.initializer, env), env)
    }
  }

  #part(value: Value, key: string, node: ts.Expression, initializer: ts.Expression | undefined, env: Env): Value {
    if (value.kind === 'list') return value.items[Number(key)] ?? NO_SQL
    if (value.kind !== 'record') return { kind: 'runtime', node }
    return value.fields.get(key)?.() ?? (initializer ? this.evaluate(initializer, env) : NO_SQL)
  }

  #field(node: ts.PropertyAccessExpression, name: string, env: Env): Value {
    const value = this.evaluate(node.expression, env)
    return value.kind === 'record' ? this.#part(value, name, node, undefined, env) : { kind: 'runtime', node }
  }

  #entry(node: ts.ElementAccessExpression, env: Env): Value {
    const value = this.evaluate(node.expression, env)
    const key = this.evaluate(node.argumentExpression, env)
    if (value.kind === 'list') return key.kind === 'constant' ? (value.items[Number(key.value)] ?? NO_SQL) : this.#oneOf(value.items, node)
    if (value.kind !== 'record') return { kind: 'runtime', node }
    if (key.kind === 'constant') return value.fields.get(String(key.value))?.() ?? NO_SQL
    return this.#choices.pickOf(node.argumentExpression.getText(), [...value.fields.values()])()
  }

  #oneOf(items: Value[], node: ts.Expression): Value {
    return items.length === 0 ? { kind: 'runtime', node } : this.#choices.pickOf(node.getText(), items)
  }

  #text(node: ts.TemplateExpression, env: Env): Value {
    const parts = node.templateSpans.map((span) => ({ value: this.evaluate(span.expression, env), text: span.literal.text }))
    if (parts.some(({ value }) => value.kind !== 'constant')) return { kind: 'runtime', node }
    return {
      kind: 'constant',
      value: node.head.text + parts.map(({ value, text }) => `${(value as { value: unknown }).value}${text}`).join(''),
    }
  }

  #binary(node: ts.BinaryExpression, env: Env): Value {
    const operator = node.operatorToken.kind
    if (operator === ts.SyntaxKind.AmpersandAmpersandToken) return this.evaluate(node.right, env)
    if (operator === ts.SyntaxKind.QuestionQuestionToken || operator === ts.SyntaxKind.BarBarToken) {
      const left = this.evaluate(node.left, env)
      return left.kind === 'runtime' || left === NO_SQL ? this.evaluate(node.right, env) : left
    }
    return this.#arithmetic(node, env) ?? { kind: 'runtime', node }
  }

  #arithmetic(node: ts.BinaryExpression, env: Env): Value | null {
    const operator = node.operatorToken.getText()
    if (!['===', '!==', '+', '-'].includes(operator)) return null
    const [left, right] = [this.evaluate(node.left, env), this.evaluate(node.right, env)]
    if (left.kind !== 'constant' || right.kind !== 'constant') return null
    const [a, b] = [left.value as number, right.value as number]
    return { kind: 'constant', value: operator === '===' ? a === b : operator === '!==' ? a !== b : operator === '+' ? a + b : a - b }
  }

  #isTrue(condition: ts.Expression, env: Env): boolean {
    const value = ts.isBinaryExpression(condition) ? this.#arithmetic(condition, env) : null
    return value?.kind === 'constant' ? Boolean(value.value) : this.#choices.pick(condition.getText(), 2) === 0
  }

  #resolve(node: ts.Identifier): ts.Symbol | undefined {
    return resolveSymbol(this.#checker, node)
  }
}

export function resolveSymbol(checker: ts.TypeChecker, node: ts.Node): ts.Symbol | undefined {
  const symbol = ts.isShorthandPropertyAssignment(node.parent)
    ? checker.getShorthandAssignmentValueSymbol(node.parent)
    : checker.getSymbolAtLocation(node)
  return symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
}

export function isSqlTemplate(node: ts.Node): node is ts.TaggedTemplateExpression {
  return ts.isTaggedTemplateExpression(node) && ts.isIdentifier(node.tag) && node.tag.text === 'sql'
}

function nameOf(name: ts.PropertyName): string {
  return ts.isIdentifier(name) || ts.isStringLiteralLike(name) ? name.text : name.getText()
}

/** The values that a function may return, without `null` and `undefined`. */
function returnsOf(body: ts.Block): ts.Expression[] {
  const found: ts.Expression[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node)) return
    if (ts.isReturnStatement(node) && node.expression && !/^(null|undefined)$/.test(node.expression.getText())) found.push(node.expression)
    else ts.forEachChild(node, visit)
  }
  ts.forEachChild(body, visit)
  return found
}
