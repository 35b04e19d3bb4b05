// Finds every hand-written SQL statement of the project, with its text and the row type that the code declares for it.
import path from 'node:path'
import ts from 'typescript'
import { type Choices, exploreChoices } from './choices.ts'
import { DeclaredColumns } from './declared-columns.ts'
import { SqlEvaluator } from './evaluate-sql.ts'
import { DynamicSqlError, isSqlTemplate, type Piece, resolveSymbol, type Value } from './sql-values.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const SOURCES = /^(features|lib|server|site|test\/fixtures\/sql)\/(?!.*(\.test\.|\/testing\/|\/test-data\/)).*\.tsx?$/

export interface Statement {
  /** `file:line` of the expression that is executed. */
  at: string
  /** One text for each way through the conditions. */
  texts: string[]
  row: ts.Type | null
}

export interface Found {
  checker: ts.TypeChecker
  declared: DeclaredColumns
  statements: Statement[]
  /** Executed statements whose text could not be evaluated, with the reason. */
  dynamic: { at: string; reason: string }[]
  /** Templates that are in no evaluated statement. */
  unreached: string[]
}

export function findStatements(): Found {
  const config = ts.getParsedCommandLineOfConfigFile(path.join(ROOT, 'tsconfig.json'), {}, ts.sys as unknown as ts.ParseConfigFileHost)!
  const names = config.fileNames.filter((name) => SOURCES.test(path.relative(ROOT, name)))
  const roots = names.filter((name) => ts.sys.readFile(name)!.includes("from 'kysely'"))
  const program = ts.createProgram(roots, config.options)
  const checker = program.getTypeChecker()
  const files = program.getSourceFiles().filter(({ fileName }) => SOURCES.test(path.relative(ROOT, fileName)))
  const calls = callsOf(checker, files)
  const found: Found = { checker, declared: new DeclaredColumns(program, ROOT), statements: [], dynamic: [], unreached: [] }
  const used = new Set<ts.Node>()
  for (const node of files.flatMap((file) => executedIn(checker, file))) {
    try {
      const texts = textsOf(node, (choices) => new SqlEvaluator(checker, calls, choices), used)
      found.statements.push({ at: placeOf(node), texts, row: rowOf(checker, node) })
    } catch (error) {
      if (!(error instanceof DynamicSqlError)) throw error
      found.dynamic.push({ at: placeOf(node), reason: error.message })
    }
  }
  found.unreached = files.flatMap((file) =>
    descendants(file, isSqlTemplate)
      .filter((node) => !used.has(node))
      .map(placeOf),
  )
  return found
}

/** Every text that the conditions allow; throws when no way through them can be evaluated. */
function textsOf(node: ts.Expression, evaluator: (choices: Choices) => SqlEvaluator, used: Set<ts.Node>): string[] {
  const texts = new Set<string>()
  let failure: unknown
  exploreChoices((choices) => {
    const evaluate = evaluator(choices)
    try {
      texts.add(textOf(evaluate.evaluate(node, new Map()), node))
      for (const template of evaluate.used) used.add(template)
    } catch (error) {
      failure ??= error
    }
  })
  if (texts.size === 0) throw failure
  return [...texts]
}

function textOf(value: Value, node: ts.Expression): string {
  if (value.kind !== 'sql') throw new DynamicSqlError(node.getText().slice(0, 60))
  let parameters = 0
  return value.pieces.map((piece: Piece) => (typeof piece === 'string' ? piece : `$${(parameters += 1)}`)).join('')
}

/** The expressions that are executed: `x.execute(db)` and the queries of `readByCursor(db, x)`. */
function executedIn(checker: ts.TypeChecker, file: ts.SourceFile): ts.Expression[] {
  return descendants(file, ts.isCallExpression).flatMap(({ expression, arguments: args }) => {
    if (ts.isIdentifier(expression) && expression.text === 'readByCursor') return args[1] ? [args[1]] : []
    if (!ts.isPropertyAccessExpression(expression) || expression.name.text !== 'execute') return []
    const isRaw = checker.getTypeAtLocation(expression.expression).symbol?.name === 'RawBuilder'
    return isRaw ? [expression.expression] : []
  })
}

function rowOf(checker: ts.TypeChecker, node: ts.Expression): ts.Type | null {
  const [row] = checker.getTypeArguments(checker.getTypeAtLocation(node) as ts.TypeReference)
  return row && (row.flags & ts.TypeFlags.Unknown) === 0 ? row : null
}

function callsOf(checker: ts.TypeChecker, files: ts.SourceFile[]): Map<ts.Symbol, ts.CallExpression[]> {
  const calls = new Map<ts.Symbol, ts.CallExpression[]>()
  for (const call of files.flatMap((file) => descendants(file, ts.isCallExpression))) {
    const symbol = ts.isIdentifier(call.expression) ? resolveSymbol(checker, call.expression) : undefined
    if (symbol) calls.set(symbol, [...(calls.get(symbol) ?? []), call])
  }
  return calls
}

function descendants<Kind extends ts.Node>(root: ts.Node, is: (node: ts.Node) => node is Kind): Kind[] {
  const found: Kind[] = []
  const visit = (node: ts.Node): void => {
    if (is(node)) found.push(node)
    ts.forEachChild(node, visit)
  }
  visit(root)
  return found
}

function placeOf(node: ts.Node): string {
  const file = node.getSourceFile()
  return `${path.relative(ROOT, file.fileName)}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}`
}
