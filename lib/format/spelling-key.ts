// Spelling keys: one form for the spellings of a word, equal in Latin and Bengali letters.
//
// A key has the letters a-z only. Bengali letters become the Latin letters of their sound, letters that sound alike fold (ি/ী, শ/ষ/স, ন/ণ,
// kh/k, z/j), a letter in a row counts once, and the plural s is dropped. So কাঁঠাল, কাঠাল, kathal and katal are all `katal`.

const CONSONANTS: Record<string, string> = spread(
  'ক k খ k গ g ঘ g ঙ n চ c ছ c জ j ঝ j ঞ n ট t ঠ t ড d ঢ d ণ n ত t থ t দ d ধ d ন n প p ফ f ব b ভ b ম m য j র r ল l শ s ষ s স s হ h',
)
const VOWELS: Record<string, string> = spread('অ o আ a ই i ঈ i উ u ঊ u ঋ ri এ e ঐ oi ও o ঔ ou া a ি i ী i ু u ূ u ৃ ri ে e ৈ oi ো o ৌ ou')
/** Marks that close a syllable. */
const ENDS: Record<string, string> = spread('ং n ৎ t')
const HASANTA = '\u09cd'
const NUKTA = '\u09bc'
/** Letters with a dot below: they sound like other ones. */
const DOTTED: Record<string, string> = spread('ড r ঢ r য i')
const BENGALI = /[\u0980-\u09ff]/

function spread(pairs: string): Record<string, string> {
  const parts = pairs.split(' ')
  return Object.fromEntries(parts.flatMap((part, at) => (at % 2 === 0 ? [[part, parts[at + 1]!]] : [])))
}

/** The key of a folded word (`foldText`); empty for a word with digits, which is a code, and for one without letters. */
export function spellingKey(word: string): string {
  if (/\d/.test(word)) return ''
  const letters = BENGALI.test(word) ? romanize(word) : word
  return foldLatin(letters)
}

function foldLatin(word: string): string {
  const key = word
    .replace(/[^a-z]+/g, '')
    .replace(/ies$/, 'y')
    .replace(/(o|ch|sh|x|s)es$/, '$1')
    .replace(/([bdgjkt])h/g, '$1')
    .replace(/ph/g, 'f')
    .replace(/sh/g, 's')
    .replace(/ch+/g, '1')
    .replace(/ck/g, 'k')
    .replace(/c(?=[eiy])/g, 's')
    .replace(/[cq]/g, 'k')
    .replace(/1/g, 'c')
    .replace(/x/g, 'ks')
    .replace(/ee/g, 'i')
    .replace(/oo/g, 'u')
    .replace(/[zvwy]/g, (letter) => SAME_SOUND[letter]!)
    .replace(/(.)\1+/g, '$1')
  return key.length > 3 && key.endsWith('s') ? key.slice(0, -1) : key
}

const SAME_SOUND: Record<string, string> = { z: 'j', v: 'b', w: 'o', y: 'i' }

/** Bengali letters as Latin ones: `ch` stands for চ and ছ, and a consonant without a vowel sign gets its inherent o. */
function romanize(word: string): string {
  // Conjuncts that are not said as they are written, and ওয়, which is a w.
  const text = word
    .replace(/ক্ষ/g, 'খ')
    .replace(/জ্ঞ/g, 'গ')
    .replace(/([সশজদত])্ব/g, '$1')
    .replace(/্য(?!\u09bc)/g, '')
    .replace(/ওয\u09bc/g, 'ও')
  let latin = ''
  let isConjunct = false
  for (let at = 0; at < text.length; at++) {
    const letter = text[at]!
    const isDotted = text[at + 1] === NUKTA
    const sound = isDotted ? (DOTTED[letter] ?? CONSONANTS[letter]) : CONSONANTS[letter]
    if (sound === undefined) {
      latin += VOWELS[letter] ?? ENDS[letter] ?? (/[a-z]/.test(letter) ? letter : '')
      continue
    }
    if (isDotted) at++
    latin += sound === 'c' ? 'ch' : sound
    const next = text[at + 1]
    if (next === HASANTA) {
      at++
      isConjunct = true
      continue
    }
    if (hasInherentVowel(next, isConjunct) && !(isDotted && letter === 'য')) latin += 'o'
    isConjunct = false
  }
  return latin
}

/** Whether a consonant is said with its inherent vowel: between consonants, and at the end after a conjunct. */
function hasInherentVowel(next: string | undefined, isConjunct: boolean): boolean {
  if (next === undefined) return isConjunct
  return CONSONANTS[next] !== undefined
}
