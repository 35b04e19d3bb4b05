import { addDays } from '#lib/format/time.ts'

const VETS = ['Dr. Mahbub Alam', 'Dr. Shirin Akter']

const GIVEN = [
  { back: 96, kind: 'vaccination', en: 'Foot-and-mouth disease, trivalent', bn: 'খুরা রোগের টিকা (ত্রিযোজী)' },
  { back: 88, kind: 'deworming', en: 'Albendazole by body weight', bn: 'ওজন অনুযায়ী অ্যালবেনডাজল' },
  { back: 61, kind: 'vaccination', en: 'Anthrax, spore vaccine', bn: 'তড়কা রোগের টিকা' },
  { back: 12, kind: 'check', en: 'Healthy: temperature, hooves, teeth and gait looked at', bn: 'সুস্থ: তাপমাত্রা, খুর, দাঁত ও চলাফেরা দেখা হয়েছে' },
] as const

/** Health records of a demo animal: two to four entries, the last at most 16 days old. */
export function healthRecordsOf(index: number, today: string) {
  return GIVEN.slice(index % 3).map(({ back, kind, en, bn }) => ({
    on_day: addDays(today, -back - (index % 5)),
    kind,
    what_en: en,
    what_bn: bn,
    vet: VETS[index % VETS.length],
  }))
}
