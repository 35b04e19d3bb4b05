// Product codes as a Bengali keyboard types them.
//
// A tag is printed in Latin letters (K-101). A person with a Bengali keyboard types the name of the letter (কে-১০১) or, on a phonetic
// keyboard, the letter of the same key (ক-১০১). Digits are folded before, by `foldText`.

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz'
/** The names of the letters from A to Z. */
const NAMES = 'এ বি সি ডি ই এফ জি এইচ আই জে কে এল এম এন ও পি কিউ আর এস টি ইউ ভি ডব্লিউ এক্স ওয়াই জেড'.split(' ')
/** Letters of phonetic keyboards, and the Latin letters of their keys. */
const PHONETIC = [...'বচদডফগহজকলমনপরসতটভ']
const PHONETIC_KEYS = 'bcddfghjklmnprsttv'

const letters = new Map<string, string>([
  ...PHONETIC.map((letter, at) => [letter.normalize('NFC'), PHONETIC_KEYS.charAt(at)] as const),
  ...NAMES.map((name, at) => [name.normalize('NFC'), ALPHABET.charAt(at)] as const),
])
const MAX_NAME = Math.max(...[...letters.keys()].map((name) => name.length))
/** Bengali letters before the rest of a code, which has at least one digit. */
const BENGALI_CODE = /^([\u0980-\u09e5]{1,40})([-_/.]?\d[-_/.a-z0-9]*)$/

/** A folded code that begins with Bengali letters, in Latin letters: কে-101 becomes k-101. Null for any other text. */
export function latinCode(folded: string): string | null {
  const [, bengali, rest] = BENGALI_CODE.exec(folded) ?? []
  if (!bengali || !rest) return null
  let latin = ''
  for (let at = 0; at < bengali.length;) {
    const name = longestName(bengali, at)
    if (name === null) return null
    latin += letters.get(name)
    at += name.length
  }
  return latin + rest
}

/** Letters and a number without the hyphen between them. */
const CODE_IN_ONE = /^([a-z]{1,10}|[\u0980-\u09e5]{1,40}) ?(\d[a-z0-9]*)$/

/** The codes that a folded text may stand for, besides itself: as `latinCode`, and with the hyphen of a tag (k101, কে 101: k-101). */
export function codeForms(folded: string): string[] {
  const [, start, rest] = CODE_IN_ONE.exec(folded) ?? []
  const hyphenated = start && rest ? `${start}-${rest}` : null
  const forms = [latinCode(folded), hyphenated && /^[a-z]/.test(hyphenated) ? hyphenated : latinCode(hyphenated ?? '')]
  return forms.filter((form) => form !== null)
}

function longestName(text: string, at: number): string | null {
  for (let length = MAX_NAME; length > 0; length--) {
    const name = text.slice(at, at + length)
    if (name.length === length && letters.has(name)) return name
  }
  return null
}
