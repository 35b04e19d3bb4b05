import fc from 'fast-check'
import { expect, test } from 'vitest'
import { COMMON_WORDS } from './common-words.ts'
import { isCommon, passwordProblem } from './password-rules.ts'

test.each([
  ['', 'auth.password-required'],
  ['short12', 'auth.password-short'],
  ['গরুছাগ', 'auth.password-short'],
  ['x'.repeat(129), 'auth.password-long'],
  ['password', 'auth.password-common'],
  ['lal goru chhoto ghor', null],
  ['লাল গরু ছোট ঘর', null],
  ['correct horse battery staple', null],
  ['khamar-demo-is-not-mine', null],
  ['a long enough password', null],
  ['x7!kQ9$z', null],
  ['🐄🐄🐂🐂🐐🐑🐓🥭', null],
])('%j: %s', (password, problem) => expect(passwordProblem(password)).toBe(problem))

// From lists of leaked passwords, eight characters or longer.
test.each([
  '12345678',
  '123456789',
  '1234567890',
  '87654321',
  '11111111',
  '00000000',
  '12121212',
  '12341234',
  '123123123',
  '112233445566',
  '147258369',
  '987654321',
  '1q2w3e4r',
  '1q2w3e4r5t',
  '1qaz2wsx',
  'qwertyui',
  'qwerty123',
  'qwertyuiop',
  'asdfghjkl',
  'asdfasdf',
  'zxcvbnm1',
  'qazwsxedc',
  'qwer1234',
  'asdf1234',
  'abcd1234',
  'a1b2c3d4',
  'abcdefgh',
  'abcdefg1',
  'abc12345',
  'abc123456',
  'aa123456',
  '1234qwer',
  '123qweasd',
  'q1w2e3r4',
  'password1',
  'password12',
  'password123',
  'Password1',
  'P@ssw0rd',
  'Passw0rd!',
  'passw0rd',
  'pa55word',
  'p4ssword',
  '1password',
  'passwordpassword',
  'iloveyou',
  'iloveyou1',
  'iloveyou2',
  'sunshine',
  'sunshine1',
  'princess',
  'princess1',
  'football',
  'football1',
  'baseball',
  'superman',
  'spiderman',
  'welcome1',
  'welcome123',
  'letmein1',
  'trustno1',
  'starwars',
  'whatever',
  'michael1',
  'jennifer',
  'computer',
  'internet',
  'samsung1',
  'butterfly',
  'admin123',
  'admin1234',
  'administrator',
  'changeme',
  'test1234',
  'Test@1234',
  'master123',
  'monkey123',
  'dragon123',
  'shadow123',
  'jordan23',
  'bangladesh',
  'Bangladesh71',
  'bangladesh1',
  'bangladesh123',
  'dhaka1234',
  'allahuakbar',
  'allah786',
  'bismillah',
  'alhamdulillah',
  'mohammad1',
  'grameenphone',
  'ilovemom',
  'myloveyou',
  'ilovedhaka',
  'amitomakebhalobashi',
  'khamar123',
  '16121971',
  '19711216',
  '01012000',
  '01711000001',
  '+8801711000001',
  '১২৩৪৫৬৭৮',
  '12345678!',
  'qwerty!@',
  'aaaaaaaab',
  'eidmubarak',
  'sona1234',
  'friends1',
  'football123!',
])('%j is among the first that are tried', (password) => expect(passwordProblem(password)).toBe('auth.password-common'))

test('the words with their usual ends are more than three thousand of eight signs and more', () => {
  const tried = [...COMMON_WORDS].flatMap((word) =>
    ['', '1', '12', '123', '1234', '!', '@123', '71', '786', '2026'].map((end) => word + end),
  )
  const long = new Set(tried.filter((one) => one.length >= 8))
  expect(long.size).toBeGreaterThan(3000)
  expect([...long].filter((one) => !isCommon(one))).toEqual([])
})

test.each([
  ['01712345678', { phone: '01712345678' }],
  ['+880 1712-345678', { phone: '01712345678' }],
  ['farhanarahman', { name: 'Farhana Rahman' }],
  ['Farhana Rahman 1990', { name: 'Farhana Rahman' }],
  ['farhana.rahman77', { email: 'farhana.rahman@customer.example' }],
  ['x.akhond@customer.example', { email: 'x.akhond@customer.example' }],
])('%j is known of the person', (password, person) => expect(passwordProblem(password, person)).toBe('auth.password-own'))

test('a name of three letters forbids nothing, nor does no name at all', () => {
  expect(passwordProblem('mim-r-lal-shari', { name: 'Mim', phone: '', email: null })).toBeNull()
})

test('any text gets an answer, and quickly', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => void passwordProblem(text, { name: text, email: text })))
  const begin = performance.now()
  for (const unit of ['a', 'ab', 'password', '1q', '\u0000', 'ক', 'abc1']) passwordProblem(unit.repeat(128).slice(0, 128))
  expect(performance.now() - begin).toBeLessThan(500)
})

test('random passwords are taken', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'bcdfghjklmnpqrstvwxz2345679'), minLength: 14, maxLength: 20 }), (text) => {
      fc.pre(new Set(text).size > 8)
      expect(passwordProblem(text)).toBeNull()
    }),
    { numRuns: 300 },
  )
})
