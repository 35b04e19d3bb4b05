import { expect, test } from 'vitest'
import { findBroken } from './language-rules.ts'
import { sourceTexts, styleTexts } from './source-texts.ts'

const broken = (source: string) =>
  sourceTexts('a.tsx', source).flatMap(({ kind, text, line }) =>
    findBroken(kind, text).map(({ pattern }) => `${line} ${kind} ${pattern.source}`),
  )

test.each([
  ['a name in camel case', 'const keptAnswers = 1', ['1 identifier \\bkept\\b']],
  ['a constant', 'const MOST_ROWS = 1', ['1 identifier \\b(most|fewest|longest|highest|smallest)_']],
  [
    'a parameter, a property and a type',
    'interface OrderWish { kept: number }\nfunction f(film: string) {}',
    ['1 identifier \\bwish(es|ed)?\\b', '1 identifier \\bkept\\b', '2 identifier \\bfilms?\\b'],
  ],
  ['a comment', '// Whoever comes first.\nlet a = 1', ['1 comment \\bwho(m|so)?ever\\b']],
  ['a comment between attributes', '<a /* read anew */ href="x" />', ['1 comment \\banew\\b']],
  ['the title of a test', "it.each([1])('tells everybody', () => {})", ['1 title \\b(some|any|every)body\\b']],
])('finds %s', (_, source, expected) => {
  expect(broken(source)).toEqual(expected)
})

test.each([
  ['a specified text', "const text = 'Somebody kept it'"],
  ['a use of a name from elsewhere', "import { keptAnswers } from './a.ts'\nkeptAnswers()"],
  ['a key of JSON that others read', 'const body = { goods: 1 }'],
  ['a part of a word', 'const shelfmark = 1, keptall = 2'],
  ['a standard term', '// The goods_received column.\nconst cachedResponse = 1'],
])('leaves %s alone', (_, source) => {
  expect(broken(source)).toEqual([])
})

const brokenNames = (file: string, source: string) =>
  (file.endsWith('.css') ? styleTexts(source) : sourceTexts(file, source)).flatMap(({ kind, text, line }) =>
    findBroken(kind, text).length > 0 ? [`${line} ${kind} ${text}`] : [],
  )

test.each([
  ['a key of a text', 'messages/en/a.ts', "export const a = {\n  'cart.order-paper': 'Invoice',\n}", ['2 key cart.order-paper']],
  ['a part of a key', 'messages/bn/a.ts', "export const a = { 'invoice.standing.due': (p) => p.x }", ['1 key invoice.standing.due']],
  ['a data attribute', 'a.tsx', '<article data-slip={width} />', ['1 attribute data-slip']],
  ['a name', 'a.ts', 'const slip = await read()', ['1 identifier slip']],
  ['an attribute and a class in styles', 'a.css', '[data-slip] p,\n.shelf-row {\n}', ['2 class shelf-row', '1 attribute data-slip']],
  [
    'a utility and a comment in styles',
    'a.css',
    '/* As papers\nsay. */\n@utility figures {}',
    ['1 comment /* As papers\nsay. */', '3 class figures'],
  ],
])('finds %s', (_, file, source, expected) => {
  expect(brokenNames(file, source)).toEqual(expected)
})

test.each([
  ['a key that a stored value makes', 'messages/en/a.ts', "export const a = { 'audit.subject.till': 'POS' }"],
  ['a key of data', 'a.ts', "const labels = { 'till_discount.taka': 'x' }"],
  ['a file of styles and a colour', 'a.css', "@import './paper.css';\n.card { color: var(--color-paper); }"],
])('leaves %s alone', (_, file, source) => {
  expect(brokenNames(file, source)).toEqual([])
})
