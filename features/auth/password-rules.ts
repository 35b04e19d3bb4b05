// The rules of passwords: 8 to 128 characters of any kind, and none that an attacker tries first. Rejected are common words with digits
// around them, keyboard rows, sequences, repetitions, dates, phone numbers, and the user's own name or email. Capitals and symbols are not
// required: they make passwords hard to remember, not hard to guess.
import { MAX_PASSWORD_LENGTH } from './limits.ts'
import { latinDigits } from '#lib/format/numbers.ts'
import { normalizePhone } from '#lib/format/phone.ts'
import { compose } from '#lib/format/text.ts'
import { COMMON_WORDS } from './common-words.ts'

export const MIN_PASSWORD_LENGTH = 8

/** Message keys of the field error. */
export type PasswordProblem =
  | 'auth.password-required'
  | 'auth.password-short'
  | 'auth.password-long'
  | 'auth.password-common'
  | 'auth.password-own'

/** Public data of the user, which must not be the password. */
export interface Person {
  name?: string
  phone?: string
  email?: string | null
}

/** The problem of a password for this user; null when it has none. */
export function passwordProblem(password: string, person: Person = {}): PasswordProblem | null {
  const length = [...password].length
  if (length === 0) return 'auth.password-required'
  if (length < MIN_PASSWORD_LENGTH) return 'auth.password-short'
  if (password.length > MAX_PASSWORD_LENGTH) return 'auth.password-long'
  if (isOwn(password, person)) return 'auth.password-own'
  return isCommon(password) ? 'auth.password-common' : null
}

function isOwn(password: string, { name = '', phone = '', email }: Person): boolean {
  const tried = squeezed(password)
  if (phone !== '' && normalizePhone(password) === normalizePhone(phone) && normalizePhone(phone) !== null) return true
  const known = [name, email ?? '', (email ?? '').split('@')[0] ?? ''].map(squeezed).filter((one) => one.length >= 4)
  return known.some((one) => tried === one || bare(tried) === bare(one) || bare(tried) === one)
}

const SWAPS: Record<string, string> = { '0': 'o', '1': 'i', '3': 'e', '4': 'a', '5': 's', '7': 't', '@': 'a', $: 's', '!': 'i' }

const squeezed = (text: string) =>
  latinDigits(compose(text, 'NFKC'))
    .toLowerCase()
    .replace(/[\s._-]/g, '')
const LETTER = /\p{L}/u
/** Trims digits and symbols from both ends. */
function bare(text: string): string {
  const characters = [...text]
  const isLetter = (character: string) => LETTER.test(character)
  return characters.slice(Math.max(0, characters.findIndex(isLetter)), characters.findLastIndex(isLetter) + 1).join('')
}
const unswapped = (text: string) => text.replace(/[013457@$!]/g, (character) => SWAPS[character] ?? character)

/** Whether a password is among those that an attacker tries first. */
export function isCommon(password: string): boolean {
  const text = squeezed(password)
  if (text === '' || isRepeated(text) || isWalk(text) || isDate(text) || isPhone(text)) return true
  return [bare(text), bare(unswapped(text)), unswapped(bare(text)), unswapped(text), text].some(isWords)
}

/** Whether the text is one common word or two. */
function isWords(text: string): boolean {
  if (COMMON_WORDS.has(text)) return true
  for (let cut = 3; cut <= text.length - 3; cut++) {
    if (COMMON_WORDS.has(text.slice(0, cut)) && COMMON_WORDS.has(text.slice(cut))) return true
  }
  return false
}

/** Whether one to four characters repeat: aaaaaaaa, 12121212, abcdabcd. */
function isRepeated(text: string): boolean {
  return /^(.{1,4}?)\1+.?$/su.test(text)
}

const ROWS = [
  '01234567890',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'qazwsxedcrfvtgbyhnujmikolp',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm',
  '1q2w3e4r5t6y7u8i9o0p',
  'qawsedrftgyhujikolp',
  '147258369',
  '123654789',
  '1a2b3c4d5e6f7g8h',
  'a1b2c3d4e5f6g7',
  'q1w2e3r4t5y6',
  '11223344556677889900',
]
const WALKS = ROWS.flatMap((row) => [row, [...row].reverse().join('')])

/** Whether the text consists of keyboard rows and sequences of three characters or more, with at most two other characters. */
function isWalk(text: string): boolean {
  let rest = text
  let loose = 0
  while (rest !== '') {
    const step = walkLength(rest)
    if (step >= 3) rest = rest.slice(step)
    else if (/^(.)\1\1/su.test(rest)) rest = rest.replace(/^(.)\1+/su, '')
    else {
      rest = rest.slice(1)
      if (++loose > 2) return false
    }
  }
  return true
}

function walkLength(text: string): number {
  let longest = 0
  for (const walk of WALKS) {
    let length = Math.min(text.length, walk.length)
    while (length > longest && !walk.includes(text.slice(0, length))) length -= 1
    longest = Math.max(longest, length)
  }
  return longest
}

/** Whether the text is eight digits of a date: 16121971, 19711216. */
function isDate(text: string): boolean {
  const match = /^(?:(\d\d)(\d\d)(?:19|20)\d\d|(?:19|20)\d\d(\d\d)(\d\d))$/.exec(text)
  if (match === null) return false
  const [one, two] = [Number(match[1] ?? match[3]), Number(match[2] ?? match[4])]
  return one >= 1 && two >= 1 && Math.min(one, two) <= 12 && Math.max(one, two) <= 31
}

function isPhone(text: string): boolean {
  return /^[+\d]+$/.test(text) && normalizePhone(text) !== null
}
