// Fails when a document or a comment names a file, a heading or an identifier that does not exist, or when a cited rule id is not explained.
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'

const root = path.resolve(import.meta.dirname, '..')
const LEFT_OUT = ['node_modules', 'dist', '.git', '.data', '.cache', '.runtime']
const CODE = /\.(ts|tsx|mjs|cjs|sql|json|css|yml)$/
/** Placeholders of instructions: `db/migrations/NNNN_what_it_does.sql`, `messages/en/AREA.ts`. */
const PLACEHOLDER = /(^|[/_.-])[A-Z]{4,}([/_.-]|$)/

const SELF = 'scripts/doc-links.test.ts'

const files = globSync('**/*', { cwd: root, exclude: (name) => LEFT_OUT.includes(path.basename(name)) })
const paths = new Set(files)
const folders = new Set(files.filter((file) => !file.includes('/')))
const fileNames = new Set(files.map((file) => path.basename(file)))
const documents = files.filter((file) => file.endsWith('.md'))

/** Every word of the code. Migrations are left out: they contain names that later ones replaced. */
const words = wordsOf(({ text }) => text)

function sources() {
  return files.filter((file) => CODE.test(file) && !file.startsWith('db/migrations/') && file !== 'package-lock.json' && file !== SELF)
}

interface Source {
  file: string
  text: string
}

function wordsOf(part: (source: Source) => string): Set<string> {
  return new Set(sources().flatMap((file) => part({ file, text: read(file) }).match(/[A-Za-z_$][\w$]*/g) ?? []))
}

function read(file: string) {
  return readFileSync(path.join(root, file), 'utf8')
}

/** `a/{b,c}.ts` as `a/b.ts`, `a/c.ts`. */
function expand(name: string): string[] {
  const group = /\{([^{}]*)\}/.exec(name)
  return group ? (group[1] ?? '').split(',').flatMap((part) => expand(name.replace(group[0], part))) : [name]
}

function proseOf(text: string) {
  return text.replaceAll(/^```[\s\S]*?^```/gm, '')
}

/** The texts in backticks outside of code blocks. */
function codeSpans(text: string) {
  return [...proseOf(text).matchAll(/`([^`\n]+)`/g)].map(([, span]) => span ?? '')
}

function missingPaths(text: string) {
  return codeSpans(text)
    .map((span) => span.replace(/^#/, ''))
    .filter((span) => /^[\w.@{},*/-]+$/.test(span) && !PLACEHOLDER.test(span))
    .flatMap(expand)
    .filter((span) =>
      span.includes('/') ? folders.has(span.split('/')[0] ?? '') && !exists(span) : isFileName(span) && !fileNames.has(span),
    )
}

function exists(name: string) {
  const clean = name.replace(/\/$/, '')
  return clean.includes('*') ? globSync(clean, { cwd: root }).length > 0 : paths.has(clean)
}

function isFileName(span: string) {
  return /^[\w-]+(\.[\w-]+)*\.(ts|tsx|mjs|cjs|sql)$/.test(span)
}

/** The anchors that GitHub gives to headings. */
function anchorsOf(text: string) {
  return [...proseOf(text).matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    (heading ?? '')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\p{M} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

function brokenLinks(document: string, text: string) {
  const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target ?? '')
  return targets.filter((target) => {
    if (/^(https?|mailto):/.test(target)) return false
    const [file, anchor] = target.split('#')
    const linked = file ? path.join(path.dirname(document), file) : document
    return !paths.has(path.normalize(linked).replace(/\/$/, '')) || (!!anchor && !anchorsOf(read(linked)).includes(anchor))
  })
}

/** Names in camelCase, PascalCase or snake_case that no code uses. */
function unknownNames(text: string) {
  return codeSpans(text)
    .flatMap((span) => /^#?([A-Za-z_][\w.]*)(\(.*\))?$/.exec(span)?.[1]?.split('.') ?? [])
    .filter((name) => /[a-z][A-Z]|[a-zA-Z]_[a-zA-Z]/.test(name) && !PLACEHOLDER.test(name) && !words.has(name))
}

it('reads every document', () => {
  expect(documents).toEqual(
    expect.arrayContaining(['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'docs/domain.md', 'docs/decisions/README.md']),
  )
})

describe.each(documents)('%s', (document) => {
  const text = read(document)

  it('names files that exist', () => expect(missingPaths(text)).toEqual([]))

  it('links to files and headings that exist', () => expect(brokenLinks(document, text)).toEqual([]))
})

// A decision is dated: it may name what a later change has renamed. So may an old release.
describe.each(documents.filter((file) => !/^(docs\/decisions\/|CHANGELOG)/.test(file)))('%s', (document) => {
  it('names identifiers that the code uses', () => expect(unknownNames(read(document))).toEqual([]))
})

const COMMENT_LINE = /^\s*(\/\/|\/?\*|--).*$/gm

function commentsOf(text: string): string {
  return (text.match(COMMENT_LINE) ?? []).join('\n')
}

describe('comments', () => {
  const code = sources().filter((file) => /\.(ts|tsx|mjs|css)$/.test(file) && !/^scripts\/(language-rules|doc-links)/.test(file))

  it('name files that exist', () => {
    const named = (file: string) =>
      [...commentsOf(read(file)).matchAll(/(?<![\w@/.-])((?:[\w-]+\/)*[\w-]+(?:\.[\w-]+)*\.(?:ts|tsx|css|mjs|sql))\b/g)].map(
        ([, name]) => name ?? '',
      )
    const isThere = (name: string) => (name.includes('/') ? files.some((file) => `/${file}`.endsWith(`/${name}`)) : fileNames.has(name))
    const missing = code.flatMap((file) => named(file).flatMap((name) => (isThere(name) ? [] : [`${file}: ${name}`])))
    expect(missing).toEqual([])
  })

  it('cite identifiers that the code uses', () => {
    const used = wordsOf(({ text }) => text.replaceAll(COMMENT_LINE, ''))
    /** An option of Fastify that the shop does not use. */
    used.add('handlerTimeout')
    const cited = (file: string) =>
      codeSpans(commentsOf(read(file))).flatMap((span) => /^#?([A-Za-z_][\w.]*)(\(.*\))?$/.exec(span)?.[1]?.split('.') ?? [])
    const unknown = (name: string) => /[a-z][A-Z]|[a-zA-Z]_[a-zA-Z]/.test(name) && !PLACEHOLDER.test(name) && !used.has(name)
    const missing = code.flatMap((file) => cited(file).flatMap((name) => (unknown(name) ? [`${file}: ${name}`] : [])))
    expect(missing).toEqual([])
  })
})

/** The fragments of a quoted message between its values: `Port 3000 is taken…` has "is taken". */
function fragmentsOf(message: string) {
  const parts = message.split(/…|\d+|"[^"]*"|[A-Z]+_[A-Z_]+/).map((part) => part.trim())
  return parts.filter((part) => part.split(' ').length > 2)
}

/** The messages in the first column of the tables under a heading that the code does not write. */
function unknownMessages(text: string, heading: string) {
  const section = text.slice(text.indexOf(`\n## ${heading}\n`)).split('\n## ')[1] ?? ''
  const rows = section.split('\n').filter((line) => line.startsWith('| `'))
  const fragments = rows.flatMap((row) => codeSpans(row.split('|')[1] ?? '').flatMap(fragmentsOf))
  expect(fragments.length).toBeGreaterThan(3)
  const code = sources().filter((file) => !file.endsWith('.test.ts') && /\.(ts|mjs)$/.test(file))
  const written = code
    .map(read)
    .join('\n')
    .replaceAll(/\$\{[^}]*\}/g, '…')
  return fragments.filter((fragment) => !written.includes(fragment))
}

it.each(['When an alert fires', 'Messages of a failed start', 'SMS'])(
  'docs/operations.md, %s: quotes messages that the code writes',
  (heading) => {
    expect(unknownMessages(read('docs/operations.md'), heading)).toEqual([])
  },
)

it('docs/operations.md lists every setting that the process reads', () => {
  const modules = sources().filter((file) => file.endsWith('.server.ts'))
  const settings = modules.flatMap((file) => Array.from(read(file).matchAll(/^ {2}([A-Z][A-Z\d_]+): (?:z\b|\w+\()/gm), ([, name]) => name!))
  const section = read('docs/operations.md').split('\n## Settings\n')[1]!.split('\n## ')[0]!
  const listed = section.split('\n').flatMap((line) => (line.startsWith('|') ? codeSpans(line.split('|')[1] ?? '') : []))
  expect(settings.length).toBeGreaterThan(30)
  expect(settings.filter((name) => !listed.includes(name))).toEqual([])
})

it('docs/performance.md: every command is a bench', () => {
  const rows = read('docs/performance.md')
    .split('\n')
    .filter((line) => /^\| .*\d{4}-\d\d-\d\d/.test(line))
  const commands = rows.flatMap((row) => codeSpans(row.split('|').at(-2) ?? '')).filter((command) => !command.includes(' '))
  const benches = [...read('bench/main.ts').matchAll(/^ {2}'?([a-z-]+)'?: bench/gm)].map(([, name]) => name ?? '')
  expect(commands.length).toBeGreaterThan(10)
  expect(commands.filter((command) => !benches.includes(command))).toEqual([])
})

it('docs/domain.md explains every rule id that a comment or a document cites', () => {
  const cited = [...sources(), ...documents].flatMap((file) =>
    [...read(file).matchAll(/\[([SMCEW]\d{1,2}(?:, [SMCEW]\d{1,2})*)\]/g)].flatMap(([, ids]) => ids?.split(', ') ?? []),
  )
  const explained = [...read('docs/domain.md').matchAll(/^\| ([SMCEW]\d{1,2}) \|/gm)].map(([, id]) => id ?? '')
  expect(cited.length).toBeGreaterThan(0)
  expect(cited.filter((id) => !explained.includes(id))).toEqual([])
})

describe('what the checks find', () => {
  it.each([
    'lib/no-such-file.ts',
    'no-such-file.ts',
    '#lib/no-such-file.ts',
    'features/no-such-folder',
    'messages/{en,xx}/cart.ts',
    'docs/*.txt',
  ])('the path %s', (name) => expect(missingPaths(`See \`${name}\`.`)).toHaveLength(1))

  it.each(['docs/domain.md', 'domain.md#no-such-heading', '../README.md#run'])('the link %s', (target) =>
    expect(brokenLinks('docs/domain.md', `[see](${target})`)).toHaveLength(1),
  )

  it.each(['noSuchFunction()', 'NoSuchType', 'orders.no_such_column', 'no_such_function'])('the name %s', (name) =>
    expect(unknownNames(`\`${name}\``)).toHaveLength(1),
  )

  it('nothing in what exists', () => {
    const text =
      '`messages/{en,bn}/cart.ts` `docs/*.md` `schema.sql` `quoteOrder(data, choice)` `orders.status` `npm start` `PORT` `db/migrations/NNNN_x.sql`'
    expect([missingPaths(text), unknownNames(text)]).toEqual([[], []])
    expect(brokenLinks('docs/domain.md', '[a](operations.md#backup) [b](../README.md) [c](https://example.com/x)')).toEqual([])
  })
})
