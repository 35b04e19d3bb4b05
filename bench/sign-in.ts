import { DEMO_PASSWORD } from '#db/demo/people.ts'
import { csrfToken } from './admin-shop.ts'
import { type Bench, openShop, run } from './database.ts'
import { median } from './compare.ts'
import { get, load, type LoadResult, postJson, areAll } from './load.ts'
import { type Finding, thousands } from './report.ts'

const PRODUCTS = 2_000
const ROUNDS = 4
const ROUND_MS = 3_000
/** Concurrent sign-ins: far more than are hashed concurrently. */
const SIGNING_IN = 32

/** The response time for readers while many users sign in: four passwords are hashed concurrently, the others queue. */
export async function benchSignIn(bench: Bench): Promise<Finding[]> {
  const url = await bench.copy(PRODUCTS)
  const shop = await openShop(url)
  try {
    const next = await signIns(shop.url, url)
    const findings: Finding[] = []
    const rates: number[] = []
    let sent = 0
    const readers = {
      'cached home page': () => get(shop.url, '/'),
      'search, read from the database each time': () => get(shop.url, `/api/product/search?q=mango${(sent += 1)}`),
    }
    for (const [what, reading] of Object.entries(readers)) {
      const [alone, meanwhile]: [number[], number[]] = [[], []]
      await load({ url: shop.url, next: reading, connections: 4, ms: 1_000 })
      for (let round = 0; round < ROUNDS; round++) {
        alone.push((await load({ url: shop.url, next: reading, connections: 4, ms: ROUND_MS })).p95)
        const [reads, entries] = await Promise.all([
          load({ url: shop.url, next: reading, connections: 4, ms: ROUND_MS }),
          load({ url: shop.url, next, connections: SIGNING_IN, ms: ROUND_MS }),
        ])
        expectEntries(entries)
        meanwhile.push(reads.p95)
        rates.push(entries.rate)
      }
      findings.push({
        what: `${what} while ${SIGNING_IN} sign in`,
        goal: 'p95 ≤ 50 ms',
        measured: `p95 ${median(meanwhile).toFixed(1)} ms, alone ${median(alone).toFixed(1)} ms`,
        reached: median(meanwhile) <= 50,
      })
    }
    findings.push({ what: 'sign-ins', goal: '', measured: `${thousands(median(rates))}/s beside the readers`, reached: null })
    return findings
  } finally {
    await shop.stop()
  }
}

function expectEntries({ statuses }: LoadResult): void {
  if (!areAll(statuses)) throw new Error(`Signing in was answered with ${JSON.stringify(statuses)}`)
}

/** The demo's customers over and over, each request a whole sign-in. */
async function signIns(shopUrl: string, databaseUrl: string): Promise<() => string> {
  const token = await csrfToken(shopUrl)
  const { rows } = await run<{ phone: string }>(
    databaseUrl,
    `select phone from users where role = 'customer' and password_hash is not null`,
  )
  let number = 0
  return () => {
    const { phone } = rows[(number += 1) % rows.length] ?? { phone: '' }
    return postJson(shopUrl, '/login', JSON.stringify({ identifier: phone, password: DEMO_PASSWORD }), { 'x-csrf-token': token })
  }
}
