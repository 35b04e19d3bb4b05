import { Writable } from 'node:stream'
import pg from 'pg'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { testDb } from '#test/db.ts'
import { describeError, errorText, openLog } from './log.server.ts'

const { pool } = await testDb()
await pool.query(`create table people (id int primary key, name text not null check (name <> 'Secretname'), phone text unique, age int)`)
await pool.query(`insert into people values (1, 'x', '01853127062', 1)`)

const errorOf = (text: string, values: unknown[] = []): Promise<unknown> =>
  pool.query(text, values).then(
    () => undefined,
    (error: unknown) => error,
  )

const lines: string[] = []
const log = openLog('trace', new Writable({ write: (line, _encoding, done) => (lines.push(String(line)), done()) }))

it.each<[string, string, unknown[], object]>([
  [
    'a check',
    `insert into people values (2, $1, $2)`,
    ['Secretname', '01853127063'],
    { code: '23514', constraint: 'people_name_check', table: 'people' },
  ],
  ['a unique key', `insert into people values (3, 'Secretname2', $1)`, ['01853127062'], { code: '23505', constraint: 'people_phone_key' }],
  ['a missing value', `insert into people (id, phone) values (4, $1)`, ['01853127062'], { code: '23502', column: 'name' }],
  [
    'text for a number',
    `select $1::text::int`,
    ['Secretname 01853127062'],
    { code: '22P02', message: 'invalid input syntax for type integer: …' },
  ],
  ['a number too large', `select $1::text::int`, ['018531270620'], { code: '22003', message: 'value …' }],
  [
    'text for a day',
    `select $1::text::date`,
    ['"Secretname" 01853127062'],
    { code: '22007', message: 'invalid input syntax for type date: …' },
  ],
  [
    'text for JSON',
    `select $1::text::jsonb`,
    ['{"name": Secretname 01853127062}'],
    { code: '22P02', message: 'invalid input syntax for type json' },
  ],
  ['a column that is not there', `select nothing from people`, [], { code: '42703', message: 'column "nothing" does not exist' }],
])('PostgreSQL rejects %s: the log has the code and the column, not the value', async (_what, text, values, fields) => {
  const error = await errorOf(text, values)
  expect(error).toBeInstanceOf(pg.DatabaseError)
  lines.length = 0
  log.error({ err: error }, 'unexpected error')
  log.error(error)
  log.warn({ err: new Error('the command failed', { cause: error }) })
  log.warn({ err: new AggregateError([error], 'all failed') })
  log.child({ reqId: 'x' }).error({ err: error })
  const printed = [...lines, errorText(error), errorText(new Error('x', { cause: error }))].join('\n')
  expect(printed).not.toMatch(/Secretname|1853127062/)
  expect(lines).toHaveLength(5)
  expect(JSON.parse(lines[0]!).err).toMatchObject({ type: 'DatabaseError', stack: expect.stringMatching(/^ +at /), ...fields })
  expect(JSON.parse(lines[1]!).err).toMatchObject(fields)
  expect(JSON.parse(lines[2]!).err).toMatchObject({ message: 'the command failed', cause: fields })
  expect(JSON.parse(lines[3]!).err).toMatchObject({ errors: [fields] })
})

const thrown = (run: () => unknown): unknown => {
  try {
    return run()
  } catch (error) {
    return error
  }
}

it.each<[string, unknown, string]>([
  [
    'a schema',
    z.object({ phone: z.string().max(3), name: z.enum(['a']) }).safeParse({ phone: '01853127062', name: 'Secretname' }).error,
    'invalid input (phone: too_big, name: invalid_value)',
  ],
  ['the parser of JSON', thrown(() => JSON.parse('{"name": Secretname}')), 'Unexpected token …'],
  ['a wrong address', thrown(() => new URL('Secretname 01853127062')), 'Invalid URL'],
  ['an own message with a phone', new Error('no customer has ০১৮৫৩১২৭০৬২ or +880 1853-127062'), 'no customer has [phone] or [phone]'],
  ['an own message with an email', new Error('two accounts have secret.mail@example.com'), 'two accounts have [email]'],
  ['the address of a database', new Error('cannot connect to postgresql://khamar:secret-word@db/khamar'), 'cannot connect to [email]'],
  ['a thrown text', 'phone 01853127062', 'phone [phone]'],
  ['a thrown object', { phone: '01853127062' }, ''],
  ['several lines', new Error('first\n    at Secretname'), 'first\n    at Secretname'],
])('%s', (_what, error, message) => {
  const described = describeError(error)
  expect(described.message).toBe(message)
  expect(JSON.stringify({ ...described, message: '' })).not.toMatch(/Secretname|1853127062|০১৮৫৩|secret/)
})

it('keeps code and message of a system error', () => {
  const error = Object.assign(new Error("EACCES: permission denied, open '/data/uploads/x.webp'"), { code: 'EACCES', input: 'Secretname' })
  expect(describeError(error)).toEqual({
    type: 'Error',
    code: 'EACCES',
    message: "EACCES: permission denied, open '/data/uploads/x.webp'",
    stack: expect.stringContaining('log.server.test.ts'),
  })
})

it('hides contacts in details of gateways, and in lines without an error', () => {
  lines.length = 0
  log.warn({ detail: 'customer 01853127062 is blocked' }, 'payment session not opened')
  log.warn('no route for /track?phone=01853127062')
  log.info({ detail: { n: 1 } }, 'as it is')
  expect(lines.map((line) => [JSON.parse(line).detail, JSON.parse(line).msg])).toEqual([
    ['customer [phone] is blocked', 'payment session not opened'],
    [undefined, 'no route for /track?phone=[phone]'],
    [{ n: 1 }, 'as it is'],
  ])
})

it('survives errors that cause each other', () => {
  const [one, other] = [new Error('one'), new Error('other')]
  one.cause = other
  other.cause = one
  expect(JSON.stringify(describeError(one)).length).toBeLessThan(20_000)
  expect(errorText(one)).toContain('caused by Error: other')
})
