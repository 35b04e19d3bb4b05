import { inTurns, median } from './compare.ts'
import { type Bench, openShop } from './database.ts'
import { get, load, areAll } from './load.ts'
import { BENGALI, COMMON, LATIN, OWN, RARE, word } from './products-rows.ts'
import { formatMeasured, type Finding } from './report.ts'

const PRODUCTS = 100_000
const GOAL = { rate: 2_000, p99: 20 }
/** Misspelled words: shoppers who type at once, and the goal for their suggestions in milliseconds. */
const TYPING = { shoppers: 4, p95: 30, ms: 6_000 }
/** Requests before the measurement, so that the code is compiled. */
const WARM_UP_MS = 12_000
/** A number beyond the measured ones: products that warming up has not read. */
const WARM_UP_FROM = 500_000

const own = (syllables: readonly string[], n: number) => word(syllables, (1 + ((n * 7919) % PRODUCTS)) * OWN.factor, OWN.length)
const rare = (syllables: readonly string[], n: number) => word(syllables, (n % RARE.kinds) * RARE.factor, RARE.length)
const common = (syllables: readonly string[], n: number) => word(syllables, (n % COMMON.kinds) * COMMON.factor, COMMON.length)

/** Typed search texts; each kind is measured alone, then all mixed. */
const TERMS: Record<string, (n: number) => string> = {
  "one product's own word, Latin": (n) => own(LATIN, n),
  "one product's own word, Bengali": (n) => own(BENGALI, n),
  'rare word, Latin': (n) => rare(LATIN, n),
  'rare word, Bengali': (n) => rare(BENGALI, n),
  'common word, Latin': (n) => common(LATIN, n),
  'common word, Bengali': (n) => common(BENGALI, n),
  'two letters, Latin': (n) => LATIN[n % LATIN.length] ?? '',
  'two letters, Bengali': (n) => BENGALI[n % BENGALI.length] ?? '',
  'two letters that few have': (n) => ['zq', 'xv', 'qx', 'ঝঝ', 'ঢঢ', 'oo', '00', 'w '][n % 8] ?? '',
  'beginning of a word': (n) => own(LATIN, n).slice(0, 3 + (n % 5)),
  'two words': (n) => `${common(LATIN, n)} ${rare(LATIN, n * 7)}`,
  barcode: (n) => `77${String(1 + ((n * 7919) % PRODUCTS)).padStart(9, '0')}`,
  'word of no product': (n) => `xylophone${n}`,
}

const without = (text: string, at: number) => text.slice(0, at) + text.slice(at + 1)
const swapped = (text: string, at: number) => text.slice(0, at) + text.charAt(at + 1) + text.charAt(at) + text.slice(at + 2)

/** Terms that only the spelling tolerance finds, or that it looks for in vain. */
const MISSPELLED: Record<string, (n: number) => string> = {
  'all kinds of words, as they are': (n) => Object.values(TERMS)[n % Object.keys(TERMS).length]?.(n) ?? '',
  'a letter missing, Latin': (n) => without(own(LATIN, n), 2 + (n % 4)),
  'a letter missing, Bengali': (n) => without(own(BENGALI, n), 2 + (n % 4)),
  'two letters wrong': (n) => swapped(without(own(LATIN, n), 2), 4 + (n % 2)),
  'two words, one wrong': (n) => `${common(LATIN, n)} ${without(rare(LATIN, n * 7), 3)}`,
  'no word': (n) => `${own(LATIN, n).slice(0, 4)}tkprm`,
  'six long words': (n) => Array.from({ length: 6 }, (_, at) => swapped(own(LATIN, n * 6 + at), 3)).join(' '),
}

/** The search box at 100,000 products. Responses are not cached: the product index finds them, and the database gives the stock. */
export async function benchSearch(bench: Bench): Promise<Finding[]> {
  const shop = await openShop(await bench.database(PRODUCTS))
  const kinds = Object.values(TERMS)
  const mixed = (n: number) => kinds[n % kinds.length]?.(n) ?? ''
  const findings: Finding[] = []
  const ask = (term: string) => get(shop.url, `/api/product/search?q=${encodeURIComponent(term)}`)
  try {
    let warm = WARM_UP_FROM
    await load({ url: shop.url, next: () => ask(mixed(++warm)), ms: WARM_UP_MS })
    for (const [what, term] of Object.entries({ 'all kinds mixed': mixed, ...TERMS })) {
      let number = 0
      const asking = { ...shop, next: () => ask(term(++number)) }
      const { search } = await inTurns({ search: asking }, what === 'all kinds mixed' ? 5 : 2)
      const clean = areAll(search.statuses)
      const fast = median(search.rates) >= GOAL.rate && median(search.p99) <= GOAL.p99
      findings.push({
        what: `search at 100,000 products: ${what}`,
        goal: `≥ ${GOAL.rate}/s, p99 ≤ ${GOAL.p99} ms`,
        measured: formatMeasured(search),
        reached: clean && fast,
      })
    }
    for (const [what, term] of Object.entries(MISSPELLED)) {
      let number = 0
      const { shoppers, p95, ms } = TYPING
      const suggest = () => get(shop.url, `/api/product/suggestions?q=${encodeURIComponent(term(++number))}`)
      const typed = await load({ url: shop.url, next: suggest, connections: shoppers, ms })
      findings.push({
        what: `suggestions at 100,000 products: ${what}`,
        goal: `p95 ≤ ${p95} ms, ${shoppers} at once`,
        measured: `${Math.round(typed.rate)}/s, p50 ${typed.p50.toFixed(1)} ms, p95 ${typed.p95.toFixed(1)} ms, p99 ${typed.p99.toFixed(1)} ms`,
        reached: areAll(typed.statuses) && typed.p95 <= p95,
      })
    }
  } finally {
    await shop.stop()
  }
  return findings
}
