import { expect, test } from 'vitest'
import { findBroken } from './language-rules.ts'
import { sourceTexts } from './source-texts.ts'

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
