// Evaluates identifiers: constants, lists with `push`, destructured values, and parameters, whose values come from the callers.
import ts from 'typescript'
import type { Choices } from './choices.ts'
import { TemplateEvaluator } from './evaluate-templates.ts'
import { DynamicSqlError, type Env, type Lazy, NO_SQL, resolveSymbol, type Value } from './sql-values.ts'

export abstract class BindingEvaluator extends TemplateEvaluator {
  protected readonly calls: Map<ts.Symbol, ts.CallExpression[]>

  constructor(checker: ts.TypeChecker, calls: Map<ts.Symbol, ts.CallExpression[]>, choices: Choices) {
    super(checker, choices)
    this.calls = calls
  }

  protected identifier(node: ts.Identifier, env: Env): Value {
    if (node.text === 'undefined') return NO_SQL
    const symbol = this.resolve(node)
    const bound = symbol && env.get(symbol)
    if (bound) return bound()
    const declaration = symbol?.valueDeclaration
    if (!declaration) return { kind: 'runtime', node }
    if (ts.isFunctionDeclaration(declaration)) return { kind: 'function', node: declaration }
    if (ts.isParameter(declaration)) return this.parameter(declaration, node, env)
    if (ts.isVariableDeclaration(declaration)) return this.variable(declaration, symbol, node, env)
    if (ts.isBindingElement(declaration)) return this.bindingElement(declaration, symbol, node, env)
    return { kind: 'runtime', node }
  }

  protected variable(declaration: ts.VariableDeclaration, symbol: ts.Symbol, node: ts.Identifier, env: Env): Value {
    if (ts.isForOfStatement(declaration.parent.parent)) {
      const list = this.evaluate(declaration.parent.parent.expression, env)
      return list.kind === 'list' ? this.oneOf(list.items, node) : { kind: 'runtime', node }
    }
    if (!declaration.initializer) return { kind: 'runtime', node }
    const value = this.evaluate(declaration.initializer, env)
    if (value.kind !== 'list') return value
    return { kind: 'list', items: [...value.items, ...this.pushed(declaration, symbol, env)] }
  }

  /** What the function adds to a list by `push`, each under its own condition. */
  protected pushed(declaration: ts.VariableDeclaration, symbol: ts.Symbol, env: Env): Value[] {
    const scope = ts.findAncestor(declaration, ts.isFunctionLike)
    const items: Value[] = []
    const visit = (node: ts.Node): void => {
      if (
        ts.isCallExpression(node) &&
        ts.isPropertyAccessExpression(node.expression) &&
        node.expression.name.text === 'push' &&
        ts.isIdentifier(node.expression.expression) &&
        this.resolve(node.expression.expression) === symbol
      ) {
        const condition = ts.findAncestor(node, (parent) => parent === scope || ts.isIfStatement(parent))
        const isAdded = !condition || !ts.isIfStatement(condition) || this.choices.pick(condition.expression.getText(), 2) === 0
        if (isAdded) items.push(...node.arguments.flatMap((argument) => this.element(argument, env)))
      } else ts.forEachChild(node, visit)
    }
    if (scope) ts.forEachChild(scope, visit)
    return items
  }

  protected bindingElement(declaration: ts.BindingElement, symbol: ts.Symbol, node: ts.Identifier, env: Env): Value {
    const root = ts.findAncestor(declaration, (parent) => ts.isVariableDeclaration(parent) || ts.isParameter(parent))
    if (!root || !(ts.isVariableDeclaration(root) || ts.isParameter(root))) return { kind: 'runtime', node }
    const inner: Env = new Map()
    if (ts.isParameter(root)) this.bind(root.name, () => this.parameter(root, node, env), inner)
    else if (root.initializer) this.bind(root.name, () => this.evaluate(root.initializer!, env), inner)
    return inner.get(symbol)?.() ?? { kind: 'runtime', node }
  }

  /** A parameter of the function that runs the statement is what a caller passes. */
  protected parameter(declaration: ts.ParameterDeclaration, node: ts.Identifier, env: Env): Value {
    const literal = this.oneOfLiterals(declaration, node)
    if (literal) return literal
    const type = this.checker.getTypeAtLocation(declaration)
    const calls = (type.flags & (ts.TypeFlags.Object | ts.TypeFlags.UnionOrIntersection)) !== 0 && this.callsOf(declaration.parent)
    if (!calls || calls.length === 0) return { kind: 'runtime', node }
    const index = declaration.parent.parameters.indexOf(declaration)
    const call = this.choices.pickOf(`caller of ${declaration.parent.name?.getText()}`, calls)
    const argument = call.arguments[index] ?? declaration.initializer
    return argument ? this.evaluate(argument, env) : NO_SQL
  }

  /** One of the texts that the type of a node allows; null when it allows others. */
  protected oneOfLiterals(typed: ts.Node, node: ts.Node): Value | null {
    const type = this.checker.getTypeAtLocation(typed)
    if (!type.isUnion() || !type.types.every((part) => part.isStringLiteral())) return null
    return { kind: 'constant', value: this.choices.pickOf(node.getText(), type.types as ts.StringLiteralType[]).value }
  }

  protected callsOf(node: ts.SignatureDeclaration): ts.CallExpression[] {
    const named = ts.isArrowFunction(node) && ts.isVariableDeclaration(node.parent) ? node.parent : node
    const symbol = named.name && this.checker.getSymbolAtLocation(named.name)
    return (symbol && this.calls.get(symbol)) ?? []
  }

  protected bind(name: ts.BindingName, value: Lazy, env: Env): void {
    if (ts.isIdentifier(name)) {
      const symbol = this.checker.getSymbolAtLocation(name)
      if (symbol) env.set(symbol, value)
      return
    }
    for (const [index, element] of name.elements.entries()) {
      if (ts.isOmittedExpression(element)) continue
      const key = ts.isArrayBindingPattern(name) ? String(index) : (element.propertyName ?? element.name).getText()
      this.bind(element.name, () => this.part(value(), key, element.name as ts.Expression, element.initializer, env), env)
    }
  }

  protected part(value: Value, key: string, node: ts.Expression, initializer: ts.Expression | undefined, env: Env): Value {
    if (value.kind === 'list') return value.items[Number(key)] ?? NO_SQL
    if (value.kind !== 'record') return { kind: 'runtime', node }
    return value.fields.get(key)?.() ?? (initializer ? this.evaluate(initializer, env) : NO_SQL)
  }

  protected element(node: ts.Expression, env: Env): Value[] {
    if (!ts.isSpreadElement(node)) return [this.evaluate(node, env)]
    const value = this.evaluate(node.expression, env)
    if (value.kind === 'list') return value.items
    throw new DynamicSqlError(node.getText())
  }

  protected oneOf(items: Value[], node: ts.Expression): Value {
    return items.length === 0 ? { kind: 'runtime', node } : this.choices.pickOf(node.getText(), items)
  }

  protected resolve(node: ts.Identifier): ts.Symbol | undefined {
    return resolveSymbol(this.checker, node)
  }
}
