// Evaluates the expressions that build SQL text, without running the project: constants, fragments, functions that return fragments,
// conditions. A value that is known only at run time becomes a parameter, as Kysely makes it one.
import ts from 'typescript'
import { BindingEvaluator } from './evaluate-bindings.ts'
import { DynamicSqlError, type Env, isSqlTemplate, type Lazy, nameOf, NO_SQL, returnsOf, type Value } from './sql-values.ts'

const MAX_DEPTH = 150

export class SqlEvaluator extends BindingEvaluator {
  #depth = 0

  evaluate(node: ts.Expression, env: Env): Value {
    if (++this.#depth > MAX_DEPTH) throw new DynamicSqlError(`recursion at ${node.getText()}`)
    try {
      return this.dispatch(node, env)
    } finally {
      this.#depth--
    }
  }

  protected dispatch(node: ts.Expression, env: Env): Value {
    if (
      ts.isParenthesizedExpression(node) ||
      ts.isAsExpression(node) ||
      ts.isNonNullExpression(node) ||
      ts.isSatisfiesExpression(node) ||
      ts.isAwaitExpression(node)
    )
      return this.evaluate(node.expression, env)
    if (isSqlTemplate(node)) return this.template(node, env)
    if (ts.isStringLiteralLike(node)) return { kind: 'constant', value: node.text }
    if (ts.isNumericLiteral(node)) return { kind: 'constant', value: Number(node.text.replaceAll('_', '')) }
    if (node.kind === ts.SyntaxKind.NullKeyword) return { kind: 'constant', value: null }
    if (ts.isIdentifier(node)) return this.identifier(node, env)
    if (ts.isConditionalExpression(node)) return this.evaluate(this.isTrue(node.condition, env) ? node.whenTrue : node.whenFalse, env)
    if (ts.isArrayLiteralExpression(node)) return { kind: 'list', items: node.elements.flatMap((element) => this.element(element, env)) }
    if (ts.isObjectLiteralExpression(node)) return this.record(node, env)
    if (ts.isArrowFunction(node) || ts.isFunctionExpression(node)) return { kind: 'function', node }
    if (ts.isCallExpression(node)) return this.call(node, env)
    if (ts.isPropertyAccessExpression(node)) return this.field(node, node.name.text, env)
    if (ts.isElementAccessExpression(node)) return this.entry(node, env)
    if (ts.isTemplateExpression(node)) return this.text(node, env)
    if (ts.isBinaryExpression(node)) return this.binary(node, env)
    return { kind: 'runtime', node }
  }

  protected record(node: ts.ObjectLiteralExpression, env: Env): Value {
    const fields = new Map<string, Lazy>()
    for (const property of node.properties) {
      if (ts.isSpreadAssignment(property)) {
        const value = this.evaluate(property.expression, env)
        if (value.kind === 'record') for (const [name, field] of value.fields) fields.set(name, field)
      } else if (ts.isPropertyAssignment(property)) {
        fields.set(nameOf(property.name), () => this.evaluate(property.initializer, env))
      } else if (ts.isShorthandPropertyAssignment(property)) {
        fields.set(property.name.text, () => this.identifier(property.name, env))
      }
    }
    return { kind: 'record', fields }
  }

  protected call(node: ts.CallExpression, env: Env): Value {
    const { expression: callee, arguments: args } = node
    if (ts.isPropertyAccessExpression(callee)) {
      if (callee.expression.getText() === 'sql') return this.sqlCall(callee.name.text, args, env)
      if (callee.expression.getText() === 'Object') return this.objectCall(node, callee.name.text, env)
      return this.method(node, callee, env)
    }
    const called = this.evaluate(callee, env)
    if (called.kind !== 'function') return { kind: 'runtime', node }
    return this.apply(
      called.node,
      args.map((argument) => () => this.evaluate(argument, env)),
      env,
    )
  }

  protected objectCall(node: ts.CallExpression, name: string, env: Env): Value {
    const value = this.evaluate(node.arguments[0]!, env)
    if (value.kind !== 'record') return { kind: 'runtime', node }
    const items = [...value.fields].map(([key, field]): Value => {
      const constant: Value = { kind: 'constant', value: key }
      if (name === 'keys') return constant
      return name === 'values' ? field() : { kind: 'list', items: [constant, field()] }
    })
    return { kind: 'list', items }
  }

  protected method(node: ts.CallExpression, callee: ts.PropertyAccessExpression, env: Env): Value {
    const name = callee.name.text
    if (!['as', '$castTo', '$notNull', 'map', 'flatMap', 'filter', 'toSorted', 'slice', 'concat'].includes(name))
      return { kind: 'runtime', node }
    const target = this.evaluate(callee.expression, env)
    if (name === 'as' && target.kind === 'sql')
      return { kind: 'sql', pieces: [...target.pieces, ` as "${this.constantText(node.arguments[0]!, env)}"`] }
    if (name === '$castTo' || name === '$notNull') return target
    if (name !== 'map' && name !== 'flatMap') return target
    const unknown: Value = { kind: 'runtime', node: callee.expression }
    const items = target.kind === 'list' ? target.items : [unknown, unknown]
    const called = this.evaluate(node.arguments[0]!, env)
    if (called.kind !== 'function') return { kind: 'runtime', node }
    const results = items.map((item, index) => this.apply(called.node, [() => item, () => ({ kind: 'constant', value: index })], env))
    if (results.every((result) => result.kind === 'runtime')) return { kind: 'runtime', node }
    return {
      kind: 'list',
      items: name === 'map' ? results : results.flatMap((result) => (result.kind === 'list' ? result.items : [result])),
    }
  }

  protected apply(node: ts.SignatureDeclaration & { body?: ts.ConciseBody }, args: Lazy[], env: Env): Value {
    const inner: Env = new Map(env)
    for (const [index, parameter] of node.parameters.entries()) {
      const { initializer } = parameter
      const argument = args[index] ?? (initializer ? () => this.evaluate(initializer, env) : () => NO_SQL)
      this.bind(parameter.name, argument, inner)
    }
    const { body } = node
    if (!body) throw new DynamicSqlError(node.getText())
    if (!ts.isBlock(body)) return this.evaluate(body, inner)
    const returns = returnsOf(body)
    if (returns.length === 0) return NO_SQL
    return this.evaluate(this.choices.pickOf(`returns of ${node.name?.getText() ?? node.pos}`, returns), inner)
  }

  protected field(node: ts.PropertyAccessExpression, name: string, env: Env): Value {
    const value = this.evaluate(node.expression, env)
    return value.kind === 'record' ? this.part(value, name, node, undefined, env) : { kind: 'runtime', node }
  }

  protected entry(node: ts.ElementAccessExpression, env: Env): Value {
    const value = this.evaluate(node.expression, env)
    const key = this.evaluate(node.argumentExpression, env)
    if (value.kind === 'list') return key.kind === 'constant' ? (value.items[Number(key.value)] ?? NO_SQL) : this.oneOf(value.items, node)
    if (value.kind !== 'record') return { kind: 'runtime', node }
    if (key.kind === 'constant') return value.fields.get(String(key.value))?.() ?? NO_SQL
    return this.choices.pickOf(node.argumentExpression.getText(), [...value.fields.values()])()
  }

  protected text(node: ts.TemplateExpression, env: Env): Value {
    const valueOf = (part: ts.Expression) => {
      const value = this.evaluate(part, env)
      return value.kind === 'runtime' ? (this.oneOfLiterals(part, part) ?? value) : value
    }
    const parts = node.templateSpans.map((span) => ({ value: valueOf(span.expression), text: span.literal.text }))
    if (parts.some(({ value }) => value.kind !== 'constant')) return { kind: 'runtime', node }
    return {
      kind: 'constant',
      value: node.head.text + parts.map(({ value, text }) => `${(value as { value: unknown }).value}${text}`).join(''),
    }
  }

  protected binary(node: ts.BinaryExpression, env: Env): Value {
    const operator = node.operatorToken.kind
    if (operator === ts.SyntaxKind.AmpersandAmpersandToken) return this.evaluate(node.right, env)
    if (operator === ts.SyntaxKind.QuestionQuestionToken || operator === ts.SyntaxKind.BarBarToken) {
      const left = this.evaluate(node.left, env)
      return left.kind === 'runtime' || left === NO_SQL ? this.evaluate(node.right, env) : left
    }
    return this.arithmetic(node, env) ?? { kind: 'runtime', node }
  }

  protected arithmetic(node: ts.BinaryExpression, env: Env): Value | null {
    const operator = node.operatorToken.getText()
    if (!['===', '!==', '+', '-'].includes(operator)) return null
    const [left, right] = [this.evaluate(node.left, env), this.evaluate(node.right, env)]
    if (left.kind !== 'constant' || right.kind !== 'constant') return null
    const [a, b] = [left.value as number, right.value as number]
    return { kind: 'constant', value: operator === '===' ? a === b : operator === '!==' ? a !== b : operator === '+' ? a + b : a - b }
  }

  protected isTrue(condition: ts.Expression, env: Env): boolean {
    const value = ts.isBinaryExpression(condition) ? this.arithmetic(condition, env) : null
    return value?.kind === 'constant' ? Boolean(value.value) : this.choices.pick(condition.getText(), 2) === 0
  }
}
