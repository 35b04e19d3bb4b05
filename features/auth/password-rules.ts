// What a password must be.
//
// Eight characters or more, at most 128, of whatever kind. Not one that is tried first by whoever tries: the words that people choose
// most with a few figures around them, rows of the keyboard, figures in order, dates, one's own number or name. No rule asks for
// capitals or signs: those make passwords that are forgotten, not ones that are hard to guess.
import { MAX_PASSWORD_LENGTH } from './limits.ts'
import { latinDigits } from '#lib/format/numbers.ts'
import { normalizePhone } from '#lib/format/phone.ts'
import { compose } from '#lib/format/text.ts'
import { COMMON_WORDS } from './common-words.ts'

export const MIN_PASSWORD_LENGTH = 8

/** Keys of the messages that stand at the field. */
export type PasswordProblem =
  | 'auth.password-required'
  | 'auth.password-short'
  | 'auth.password-long'
  | 'auth.password-common'
  | 'auth.password-own'

/** Whose password it is to be: what anybody knows of the person is no secret. */
export interface Person {
  name?: string
  phone?: string
  email?: string | null
}

/** Why a text cannot be this person's password; null when it can. */
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
/** Without figures and signs at either end. */
function bare(text: string): string {
  const signs = [...text]
  const isLetter = (sign: string) => LETTER.test(sign)
  return signs.slice(Math.max(0, signs.findIndex(isLetter)), signs.findLastIndex(isLetter) + 1).join('')
}
const unswapped = (text: string) => text.replace(/[013457@$!]/g, (sign) => SWAPS[sign] ?? sign)

/** Whether a password is among those that are tried first. */
export function isCommon(password: string): boolean {
  const text = squeezed(password)
  if (text === '' || isRepeated(text) || isWalk(text) || isDate(text) || isPhone(text)) return true
  return [bare(text), bare(unswapped(text)), unswapped(bare(text)), unswapped(text), text].some(isWords)
}

/** A common word, or two of them, or one twice. */
function isWords(text: string): boolean {
  if (COMMON_WORDS.has(text)) return true
  for (let cut = 3; cut <= text.length - 3; cut++) {
    if (COMMON_WORDS.has(text.slice(0, cut)) && COMMON_WORDS.has(text.slice(cut))) return true
  }
  return false
}

/** One to four signs over and over: aaaaaaaa, 12121212, abcdabcd. */
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

/** Rows of the keyboard and figures in order, in pieces of three signs or more, with at most two signs between or after. */
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

/** Eight figures that are a day: 16121971, 19711216. */
function isDate(text: string): boolean {
  const match = /^(?:(\d\d)(\d\d)(?:19|20)\d\d|(?:19|20)\d\d(\d\d)(\d\d))$/.exec(text)
  if (match === null) return false
  const [one, two] = [Number(match[1] ?? match[3]), Number(match[2] ?? match[4])]
  return one >= 1 && two >= 1 && Math.min(one, two) <= 12 && Math.max(one, two) <= 31
}

function isPhone(text: string): boolean {
  return /^[+\d]+$/.test(text) && normalizePhone(text) !== null
}
