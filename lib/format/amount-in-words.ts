// An amount in words, printed on invoices so that changed digits are noticed. Both languages count in lakh and crore.
import type { Lang } from '../i18n/lang.ts'
import type { Poisha } from './money.ts'

const EN_TO_19 =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  )
const EN_TENS = '- - twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')

// Every Bengali number up to 99 has a word of its own.
const BN_TO_99 = [
  'শূন্য এক দুই তিন চার পাঁচ ছয় সাত আট নয়',
  'দশ এগারো বারো তেরো চৌদ্দ পনেরো ষোলো সতেরো আঠারো উনিশ',
  'বিশ একুশ বাইশ তেইশ চব্বিশ পঁচিশ ছাব্বিশ সাতাশ আটাশ ঊনত্রিশ',
  'ত্রিশ একত্রিশ বত্রিশ তেত্রিশ চৌত্রিশ পঁয়ত্রিশ ছত্রিশ সাঁইত্রিশ আটত্রিশ ঊনচল্লিশ',
  'চল্লিশ একচল্লিশ বিয়াল্লিশ তেতাল্লিশ চুয়াল্লিশ পঁয়তাল্লিশ ছেচল্লিশ সাতচল্লিশ আটচল্লিশ ঊনপঞ্চাশ',
  'পঞ্চাশ একান্ন বায়ান্ন তিপ্পান্ন চুয়ান্ন পঞ্চান্ন ছাপ্পান্ন সাতান্ন আটান্ন ঊনষাট',
  'ষাট একষট্টি বাষট্টি তেষট্টি চৌষট্টি পঁয়ষট্টি ছেষট্টি সাতষট্টি আটষট্টি ঊনসত্তর',
  'সত্তর একাত্তর বাহাত্তর তিয়াত্তর চুয়াত্তর পঁচাত্তর ছিয়াত্তর সাতাত্তর আটাত্তর ঊনআশি',
  'আশি একাশি বিরাশি তিরাশি চুরাশি পঁচাশি ছিয়াশি সাতাশি আটাশি ঊননব্বই',
  'নব্বই একানব্বই বিরানব্বই তিরানব্বই চুরানব্বই পঁচানব্বই ছিয়ানব্বই সাতানব্বই আটানব্বই নিরানব্বই',
].flatMap((row) => row.split(' '))

interface Words {
  below100(n: number): string
  hundreds(n: number): string
  thousand: string
  lakh: string
  crore: string
}

const WORDS: Record<Lang, Words> = {
  en: { below100: englishBelow100, hundreds: (n) => `${EN_TO_19[n]} hundred`, thousand: 'thousand', lakh: 'lakh', crore: 'crore' },
  bn: { below100: (n) => BN_TO_99[n] ?? '', hundreds: (n) => `${BN_TO_99[n]}শ`, thousand: 'হাজার', lakh: 'লাখ', crore: 'কোটি' },
}

function englishBelow100(n: number): string {
  if (n < 20) return EN_TO_19[n] ?? ''
  const ones = n % 10
  return ones === 0 ? (EN_TENS[n / 10] ?? '') : `${EN_TENS[(n - ones) / 10]}-${EN_TO_19[ones]}`
}

/** `Seventy-eight thousand taka only`, `আটাত্তর হাজার টাকা মাত্র`; with poisha when there are any, and a word for a minus. */
export function amountInWords(amount: Poisha, lang: Lang): string {
  const size = Math.abs(amount)
  const fraction = size % 100
  const taka = wholeInWords((size - fraction) / 100, WORDS[lang])
  const { below100 } = WORDS[lang]
  if (lang === 'bn') return `${amount < 0 ? 'ঋণাত্মক ' : ''}${taka} টাকা ${fraction === 0 ? '' : `${below100(fraction)} পয়সা `}মাত্র`
  const text = `${amount < 0 ? 'minus ' : ''}${taka} taka ${fraction === 0 ? '' : `and ${below100(fraction)} poisha `}only`
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function wholeInWords(n: number, words: Words): string {
  if (n < 100) return words.below100(n)
  const [size, name] = largestPart(n, words)
  const rest = n % size
  const head = (n - rest) / size
  const text = name === null ? words.hundreds(head) : `${wholeInWords(head, words)} ${name}`
  return rest === 0 ? text : `${text} ${wholeInWords(rest, words)}`
}

/** The largest unit of a number of a hundred or more, and its name; null for hundreds, which have words of their own. */
function largestPart(n: number, words: Words): [size: number, name: string | null] {
  if (n >= 10_000_000) return [10_000_000, words.crore]
  if (n >= 100_000) return [100_000, words.lakh]
  if (n >= 1000) return [1000, words.thousand]
  return [100, null]
}
