import ts from 'typescript'

export interface SourceText {
  kind: 'identifier' | 'comment' | 'title' | 'key' | 'attribute' | 'class'
  text: string
  /** Counted from 1. */
  line: number
}

const TITLE_CALLS = /^(it|test|describe)$/

/**
 * The declared names, comments, test titles, message keys and data attributes of a TypeScript file. Other strings are left out: they may be
 * specified texts.
 */
export function sourceTexts(file: string, source: string): SourceText[] {
  const sourceFile = ts.createSourceFile(
    file,
    source,
    ts.ScriptTarget.Latest,
    true,
    file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS,
  )
  const lineAt = (position: number) => sourceFile.getLineAndCharacterOfPosition(position).line + 1
  const found: SourceText[] = comments(sourceFile, source).map(({ text, at }) => ({ kind: 'comment', text, line: lineAt(at) }))
  const isMessages = file.startsWith('messages/')
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) {
      if (isDeclaredName(node)) found.push({ kind: 'identifier', text: node.text, line: lineAt(node.getStart()) })
    } else if (ts.isCallExpression(node)) {
      const title = testTitle(node)
      if (title) found.push({ kind: 'title', text: title.text, line: lineAt(title.getStart()) })
    } else if (ts.isJsxAttribute(node)) {
      const name = node.name.getText()
      if (name.startsWith('data-')) found.push({ kind: 'attribute', text: name, line: lineAt(node.getStart()) })
    } else if (isMessages && ts.isPropertyAssignment(node) && ts.isStringLiteral(node.name)) {
      found.push({ kind: 'key', text: node.name.text, line: lineAt(node.getStart()) })
    }
    ts.forEachChild(node, visit)
  }
  visit(sourceFile)
  return found
}

/** The comments of a style sheet, its class names and utilities, and the data attributes it selects. */
export function styleTexts(source: string): SourceText[] {
  const lineAt = (position: number) => source.slice(0, position).split('\n').length
  const found: SourceText[] = []
  const code = source.replace(/\/\*[\s\S]*?\*\//g, (text, at: number) => {
    found.push({ kind: 'comment', text, line: lineAt(at) })
    return text.replace(/[^\n]/g, ' ')
  })
  for (const { 1: text, index } of code.matchAll(/(?:\.|@utility )([a-z][\w-]*)(?=[^{};]*\{)/g))
    found.push({ kind: 'class', text: text!, line: lineAt(index) })
  for (const { 1: text, index } of code.matchAll(/\[(data-[\w-]+)/g)) found.push({ kind: 'attribute', text: text!, line: lineAt(index) })
  return found
}

/** Whether the identifier introduces a name, so that each name counts where it can be changed. */
function isDeclaredName(node: ts.Identifier | ts.PrivateIdentifier): boolean {
  const { parent } = node
  if (ts.isImportSpecifier(parent) || ts.isExportSpecifier(parent)) return false
  return (ts.isVariableDeclaration(parent) || ts.isBindingElement(parent) || isNamedDeclaration(parent)) && parent.name === node
}

function isNamedDeclaration(node: ts.Node): node is ts.NamedDeclaration {
  return (
    ts.isFunctionDeclaration(node) ||
    ts.isClassDeclaration(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isParameter(node) ||
    ts.isPropertyDeclaration(node) ||
    ts.isPropertySignature(node) ||
    ts.isMethodDeclaration(node) ||
    ts.isMethodSignature(node)
  )
}

function testTitle(call: ts.CallExpression): ts.StringLiteralLike | null {
  const [first] = call.arguments
  if (!first || !ts.isStringLiteralLike(first)) return null
  let callee: ts.Expression = call.expression
  while (ts.isCallExpression(callee) || ts.isPropertyAccessExpression(callee) || ts.isTaggedTemplateExpression(callee))
    callee = ts.isTaggedTemplateExpression(callee) ? callee.tag : callee.expression
  return ts.isIdentifier(callee) && TITLE_CALLS.test(callee.text) ? first : null
}

function comments(sourceFile: ts.SourceFile, source: string): { text: string; at: number }[] {
  const found = new Map<number, string>()
  const add = (ranges: ts.CommentRange[] | undefined) => {
    for (const { pos, end } of ranges ?? []) found.set(pos, source.slice(pos, end))
  }
  const visit = (node: ts.Node): void => {
    add(ts.getLeadingCommentRanges(source, node.getFullStart()))
    add(ts.getTrailingCommentRanges(source, node.getEnd()))
    if (!ts.isJsxText(node)) for (const child of node.getChildren(sourceFile)) visit(child)
  }
  visit(sourceFile)
  return [...found].map(([at, text]) => ({ at, text }))
}
