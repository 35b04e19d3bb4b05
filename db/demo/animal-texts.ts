import type { Coat } from '#features/catalog/trait-keys.ts'
import type { Bilingual } from '#features/settings/settings.ts'
import type { DemoAnimal } from './cattle.ts'

const ABOUT_BREED: Record<DemoAnimal['breed'], Bilingual> = {
  deshi: {
    en: 'The hardy cattle of the Bengal village: compact, lean, with meat of the best taste.',
    bn: 'বাংলার গ্রামের কষ্টসহিষ্ণু গরু: গাঁট্টাগোট্টা, চর্বি কম, মাংসের স্বাদ সবচেয়ে ভালো।',
  },
  pabna: {
    en: 'An old breed of the Pabna pastures, tall and quiet, known for its fine white to grey coat.',
    bn: 'পাবনার বাথানের পুরোনো জাত; লম্বা, শান্ত, সাদা থেকে ধূসর সুন্দর চামড়ার জন্য পরিচিত।',
  },
  rcc: {
    en: 'All red, down to the horns and the lashes: our own breed from the hills of Chattogram.',
    bn: 'শিং থেকে চোখের পাতা পর্যন্ত লাল: চট্টগ্রামের পাহাড়ি অঞ্চলের আমাদের নিজস্ব জাত।',
  },
  grey: {
    en: 'Deep grey and long-legged, from the river plains of the north.',
    bn: 'উত্তরের নদীপাড়ের গাঢ় ধূসর, লম্বা পায়ের গরু।',
  },
  mirkadim: {
    en: 'The white bull of Munshiganj that Old Dhaka has favoured at Eid for generations.',
    bn: 'মুন্সীগঞ্জের ধবধবে সাদা গরু; পুরান ঢাকার ঈদে যার কদর বংশপরম্পরায়।',
  },
  sahiwal: {
    en: 'A Sahiwal cross: long body, loose dewlap, calm by nature, and good growth on grass.',
    bn: 'শাহীওয়াল ক্রস: লম্বা শরীর, ঝোলানো গলকম্বল, স্বভাবে শান্ত, ঘাসেই ভালো বাড়ে।',
  },
  sindhi: {
    en: 'A Sindhi cross: deep red, strong hump, bears the heat well.',
    bn: 'সিন্ধি ক্রস: গাঢ় লাল, উঁচু কুঁজ, গরম ভালো সহ্য করে।',
  },
  brahman: {
    en: 'A Brahman cross: broad back, high hump, the heaviest frame of our herd.',
    bn: 'ব্রাহমা ক্রস: চওড়া পিঠ, উঁচু কুঁজ, আমাদের পালের সবচেয়ে ভারী গড়ন।',
  },
  friesian: {
    en: 'A Friesian cross raised for beef: large, deep-chested, well filled.',
    bn: 'মাংসের জন্য পালন করা ফ্রিজিয়ান ক্রস: বড়, চওড়া বুক, ভরাট শরীর।',
  },
}

const FEEDING: Bilingual = {
  en: 'Fed on our own napier grass, straw, bran and oil cake, without fattening drugs. Vaccinated against anthrax and foot-and-mouth disease; the health card comes with the animal.',
  bn: 'আমাদের নিজেদের নেপিয়ার ঘাস, খড়, ভুসি ও খৈল খাইয়ে বড় করা, মোটাতাজাকরণের কোনো ওষুধ ছাড়া। তড়কা ও খুরারোগের টিকা দেওয়া; স্বাস্থ্য কার্ড পশুর সঙ্গেই দেওয়া হয়।',
}

const FOR_KURBANI: Bilingual = {
  en: 'Two teeth or more and without blemish, fit for Kurbani.',
  bn: 'দুই দাঁত বা তার বেশি, নিখুঁত; কোরবানির উপযুক্ত।',
}

/** The description on the animal's page, in both languages. */
export function animalDescription(animal: DemoAnimal) {
  const parts = [ABOUT_BREED[animal.breed], ...(animal.categoryId === 4 ? [FOR_KURBANI] : []), FEEDING]
  return {
    description_en: parts.map((part) => part.en).join('\n\n'),
    description_bn: parts.map((part) => part.bn).join('\n\n'),
  }
}

const NOTES: (Bilingual | null)[] = [
  null,
  { en: 'Very calm, children lead it.', bn: 'খুব শান্ত, বাচ্চারাও ধরে হাঁটাতে পারে।' },
  null,
  { en: 'Video call with the animal: ring us.', bn: 'ভিডিও কলে পশু দেখতে ফোন করুন।' },
  { en: 'Can be seen at the farm any day.', bn: 'যেকোনো দিন খামারে এসে দেখা যায়।' },
]

/** The note on the card. An animal that cannot be ordered gives the reason. */
export function animalNote({ status }: DemoAnimal, index: number) {
  if (status === 'hold') return { note_en: 'Being weighed; ordering opens soon.', note_bn: 'ওজন নেওয়া হচ্ছে; শিগগিরই অর্ডার শুরু হবে।' }
  if (status === 'pre-book')
    return { note_en: 'Still growing; delivered on the date shown.', note_bn: 'এখনো বাড়ছে; লেখা তারিখে পৌঁছে দেওয়া হবে।' }
  const note = status === 'in-stock' ? NOTES[index % NOTES.length] : null
  return { note_en: note?.en ?? '', note_bn: note?.bn ?? '' }
}

/** Search aliases: Latin spellings and other Bengali spellings. */
export const BREED_SPELLINGS: Record<DemoAnimal['breed'], string> = {
  deshi: 'deshi desi দেশী',
  pabna: 'pabna pabnar পাবনাইয়া',
  rcc: 'rcc lal chatgaiya chittagong আরসিসি রেড চিটাগাং',
  grey: 'nbg north bengal uttorbongo',
  mirkadim: 'mirkadim mirkadimer মিরকাদিম',
  sahiwal: 'sahiwal shahiwal saiwal শাহিওয়াল',
  sindhi: 'sindhi shindhi',
  brahman: 'brahma brahman bramha ব্রাহামা',
  friesian: 'friesian frisian holstein ফ্রিজিয়ান হলস্টাইন',
}

export const COAT_SPELLINGS: Record<Coat, string> = {
  red: 'lal red লাল',
  brown: 'badami brown বাদামি বাদামী',
  fawn: 'halka badami fawn',
  black: 'kalo kala black কালো',
  white: 'sada shada white সাদা',
  grey: 'dhusor chai grey gray ছাই',
  pied: 'sada kalo chitra pied সাদা কালো',
  'red-pied': 'lal sada chitra লাল সাদা',
}
